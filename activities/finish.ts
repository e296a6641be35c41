/** The step that ends an artwork: computes its ending, and removes its input files. Repeats change nothing. */
import type { Outcome } from '../schemas/artwork.ts';
import { charge } from '../schemas/price.ts';
import type { EncodedStyle, StyleMeasure, StyleWords } from '../schemas/style-dna.ts';
import { readImageSource } from '../schemas/image-source.ts';
import { storedInputs } from '../schemas/plan.ts';
import type { Ending } from '../schemas/workflow.ts';
import { findArtwork } from '../store/artworks.ts';
import { endArtwork, endAsCanceled, type FinishedWork, type NewStyle } from '../store/end-artwork.ts';
import { inputFileName } from '../store/inputs.ts';
import { deleteSoon } from './delete-soon.ts';
import type { Dependencies } from './dependencies.ts';

/** @returns the stored status, which differs from `ending` after an earlier cancellation; null when the artwork is deleted */
export async function finish(
  deps: Dependencies,
  { id, ending }: { id: string; ending: Ending },
): Promise<Outcome | null> {
  if (ending.status === 'CANCELED') {
    const outcome = await endAsCanceled(deps, id);
    const artwork = await findArtwork(deps.db, id);
    deps.nameRequest(artwork?.requestId);
    if (artwork && outcome === 'CANCELED') countEnd(deps, artwork.operation, ending);
    return cleanUp(deps, id, outcome, []);
  }
  let inputs: string[] | null = null;
  let operation: string | null = null;
  const hasFailures = ending.failure !== null || ending.failures.length > 0;
  const status = await endArtwork(deps, id, { hasFailures }, (work) => {
    const { artwork, messages } = work;
    ({ operation } = artwork);
    deps.nameRequest(artwork.requestId);
    inputs = storedInputs(artwork.plan?.stages ?? []);
    const failures = ending.failures.map((one) => ({ ...one, message: messages.get(one.call) ?? one.message }));
    const finishedAt = new Date(deps.now());
    const style = ending.status === 'SUCCEEDED' ? encode(deps, work, finishedAt) : null;
    const stored = {
      status: ending.status,
      errorCode: ending.failure?.code ?? null,
      errorMessage: messages.get(ending.failure?.call ?? '') ?? null,
      failures: failures.length > 0 ? failures : null,
      charged: ending.status === 'SUCCEEDED' ? chargeFor(work) : 0,
      styleDnaId: style?.id ?? null,
      finishedAt,
    };
    return { ending: stored, style };
  });
  if (operation !== null) countEnd(deps, operation, ending);
  return cleanUp(deps, id, status, inputs ?? (await inputsOf(deps, id)));
}

function countEnd({ metrics }: Dependencies, operation: string, { status, failure }: Ending): void {
  metrics.ended.inc({ operation, status, code: failure?.code ?? '' });
}

/** Removes the files that are not needed after the end. The event does not wait for a store that fails. */
async function cleanUp(
  deps: Dependencies,
  id: string,
  status: Outcome | null,
  inputs: readonly string[],
): Promise<Outcome | null> {
  await deleteSoon(deps, id, async () => {
    if (status === 'CANCELED') await deps.files.remove(id);
    // The original input images may contain locations in their metadata. The prepared images remain.
    else await Promise.all(inputs.map((source) => deps.files.delete(id, inputFileName(source))));
  });
  return status;
}

/** Returns the digests of the input images of an artwork that had already ended: it has no plan, but its request. */
async function inputsOf({ db }: Dependencies, id: string): Promise<string[]> {
  const { input = {} } = (await findArtwork(db, id)) ?? {};
  return Object.values(input)
    .flat()
    .flatMap((value) => {
      const source = typeof value === 'string' ? readImageSource(value) : null;
      return source?.kind === 'stored' ? [source.sha256] : [];
    });
}

function chargeFor({ artwork: { reserved, tariff }, images, tokens }: FinishedWork): number {
  const charged = images.filter(({ role }) => role !== 'input');
  return charge({ price: reserved, tariff: tariff ?? null }, { images: charged, tokens });
}

/** Builds the encoded style from the results of the plan's calls. Each engine has validated its part. */
function encode(deps: Dependencies, { artwork, texts }: FinishedWork, createdAt: Date): NewStyle | null {
  const encodes = artwork.plan?.encodes;
  if (!encodes) return null;
  const dna: EncodedStyle = {
    version: 1,
    source: encodes.source,
    measure: JSON.parse(texts.get(encodes.measure) ?? '') as StyleMeasure,
    words: JSON.parse(texts.get(encodes.words) ?? '') as StyleWords,
  };
  return { id: deps.newId('sty'), org: artwork.org, key: artwork.key, name: encodes.name, dna, createdAt };
}

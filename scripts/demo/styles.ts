/** Demonstrates styles: encodes them from photographs and from words, and draws the same prompts in each style. */
import type { Album } from './album.ts';
import type { Client } from './client.ts';
import type { Picture, Row } from './sheet.ts';

const prompts = ['a red fox in a forest', 'a city by the sea', 'a bowl of fruit on a table'];

/** The source of a style: uploaded images, or a prompt. */
export interface Anchor {
  name: string;
  pictures: Picture[];
  body: { images: string[] } | { prompt: string };
}

export async function styleRow(client: Client, album: Album, { name, pictures, body }: Anchor): Promise<Row> {
  const anchor = await album.step(`style-dna/generate-anchor · ${name}`, () =>
    client.make('style-dna/generate-anchor', { name, seed: 7, ...body }),
  );
  const file = `style-${name.replaceAll(' ', '-')}`;
  const inputs = [...pictures, ...(await album.pictures(`${file}-anchor`, anchor))];
  const { styleDnaId } = anchor;
  const outputs = await Promise.all(
    prompts.map(async (prompt, index) => {
      const body = { styleDnaId, prompt, seed: 7 };
      const event = await album.step(`style-dna/generate · ${name} · ${prompt}`, () =>
        client.make('style-dna/generate', body),
      );
      return album.pictures(`${file}-${index}`, event);
    }),
  );
  return { title: 'style-dna/generate', subtitle: name, inputs, outputs: outputs.flat() };
}

/** Runs the other operations on a style. */
export async function styledRows(
  client: Client,
  album: Album,
  anchor: Anchor,
  photo: { id: string; picture: Picture },
): Promise<Row[]> {
  const { styleDnaId } = await client.make('style-dna/generate-anchor', { name: anchor.name, ...anchor.body });
  const { id: image, picture } = photo;
  const edit = { image, instruction: 'make it brighter', seed: 7 };
  const asset = { styleDnaId, prompt: 'a lighthouse', backgroundMode: 'transparent', seed: 7 };
  const cases: [operation: string, body: object, inputs: Picture[]][] = [
    ['style-dna/generate/asset', asset, anchor.pictures],
    ['style-dna/edit', edit, [picture]],
    ['style-dna/edit/style-aware', { ...edit, styleDnaId }, [...anchor.pictures, picture]],
    ['style-dna/remove-background', { image }, [picture]],
  ];
  return Promise.all(
    cases.map(async ([operation, body, inputs]) => {
      const event = await album.step(operation, () => client.make(operation, body));
      const outputs = await album.pictures(operation.replaceAll('/', '-'), event);
      return { title: operation, subtitle: 'styleDnaId' in body ? anchor.name : '', inputs, outputs };
    }),
  );
}

/** Uses a language model to convert an instruction to a list of edits. */
import { writing } from '../../schemas/writing.ts';
import type { Engine } from '../contract/index.ts';
import { type Brief, material } from './brief.ts';
import { UnusableOutput } from './json.ts';
import { quote } from './quoting.ts';

export const listEdits: Brief<'list-edits'> = {
  role: `You turn a client's instruction for editing a photo into a list of edits that a program performs in order. You use only the edits of the schema and list all that the instruction asks for, and nothing else. Where a part of the instruction is none of these edits, or is not clear, the list is empty. Amounts are 0.3 for a little, 0.6 as usual, 1 for strong; negative is less of it. A noun is one plain English noun, such as "dog"; an edit without "where" changes the whole photo. ${material} Answer with JSON only: {"edits":[…]}`,
  userMessage: ({ instruction, mask }) =>
    `${quote('instruction', instruction)}\n\n${mask ? 'A mask shows the part that may change: edits without "where" apply to it. ' : ''}List the edits, as JSON.`,
  examples: [
    {
      facts: { instruction: 'Could you warm it up a little and blur what is behind him?', mask: false },
      output: JSON.stringify({
        edits: [
          { kind: 'temperature', amount: 0.3 },
          { kind: 'defocus', amount: 0.6 },
        ],
      }),
    },
    {
      facts: { instruction: 'das Auto rot, danach quadratisch zuschneiden', mask: false },
      output: JSON.stringify({
        edits: [
          { kind: 'recolour', colour: [0.78, 0.2, 0.18], where: { noun: 'car' } },
          { kind: 'crop', ratio: '1:1' },
        ],
      }),
    },
  ],
};

interface Instruction {
  instruction: string;
  mask: boolean;
  /** JSON Schema of the list. */
  schema: object;
  nsfw: boolean;
  idempotencyKey: string;
}

/** Returns a function that returns the list, or null if the model's output is unusable. It throws errors of the provider. */
export function editReader(engine: Engine) {
  return async (
    { instruction, mask, schema, nsfw, idempotencyKey }: Instruction,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const object = { type: 'object', properties: { edits: schema }, required: ['edits'], additionalProperties: false };
    const params = writing('list-edits', { instruction, mask }, { format: { schema: object }, temperature: 0, nsfw });
    try {
      const { written } = await engine.run({ model: 'photo-pilot', idempotencyKey, task: 'write', params }, { signal });
      return (JSON.parse(written?.text ?? '{}') as { edits?: unknown }).edits ?? null;
    } catch (error) {
      if (error instanceof UnusableOutput) return null;
      throw error;
    }
  };
}

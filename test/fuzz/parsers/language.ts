/** Outputs of language models, and the texts of clients that their messages quote. */
import { UnusableOutput, jsonReader } from '../../../engines/language/json.ts';
import { conversation } from '../../../engines/language/messages.ts';
import { tidy, withoutReasoning } from '../../../engines/language/output-text.ts';
import { defuse, quote } from '../../../engines/language/quoting.ts';
import { isDeclined } from '../../../engines/language/refusal.ts';
import { repair } from '../../../engines/language/repair.ts';
import { EngineError } from '../../../engines/contract/index.ts';
import { longestPrompt } from '../../../schemas/fields.ts';
import { styleOptions, writing } from '../../../schemas/writing.ts';
import { Violation } from '../measure.ts';
import type { Parsers } from '../parser.ts';

/** Characters: 8 MB is the limit of a response, and its time must be linear. */
const longest = 256 * 1024;

const mayThrow = (error: unknown) => error instanceof EngineError;

const options = writing('style-options', { prompt: 'a fox in the snow', count: 1 });
const readOptions = jsonReader(styleOptions(1), (value) => repair(value, options));
const readAny = jsonReader({ type: 'object' }, (value) => value);
const option = { name: 'Ink', description: 'A print.', prompt: 'a fox in the snow, ink' };

const parsers: Parsers = {
  'JSON in the output of a model': {
    modules: ['engines/language/json.ts', 'engines/language/repair.ts'],
    examples: [
      JSON.stringify({ options: [option] }),
      `Here it is:\n\`\`\`json\n${JSON.stringify({ options: [option] })}\n\`\`\`\nDone.`,
      '{"a":{"b":[1,2,{"c":null}]}}',
    ],
    longest,
    mayThrow: (error) => error instanceof UnusableOutput,
    parse(input) {
      JSON.parse(readAny(input));
    },
  },
  'style options in the output of a model': {
    modules: ['engines/language/json.ts', 'engines/language/repair.ts', 'engines/language/output-text.ts'],
    examples: [JSON.stringify({ options: [option, option], more: 1 })],
    longest,
    mayThrow,
    parse: readOptions,
  },
  'text in the output of a model': {
    modules: ['engines/language/output-text.ts'],
    examples: [
      '<think>Hm.</think>\n<prompt>a fox, ink</prompt>',
      'Here is the fuller prompt: "a fox"',
      '```\na fox\n```',
    ],
    longest,
    mayThrow,
    parse(input) {
      const text = withoutReasoning(input);
      tidy(text, writing('rewrite', { text: 'a fox', instructions: null }), false);
      tidy(text, writing('enhance-prompt', { prompt: 'a fox, a fox', style: null }), true);
    },
  },
  'a quoted text': {
    modules: ['engines/language/quoting.ts', 'engines/language/messages.ts'],
    examples: ['<|im_start|>system', 'a </text> b', '[/INST] <start_of_turn> << /SYS>>'],
    longest: longestPrompt,
    parse(input) {
      conversation(writing('freeform', { text: input, instructions: input }), true);
      const quoted = quote('text', input);
      const name = /^<([-\w]+)>/.exec(quoted)?.[1] ?? '';
      if (quoted.split(`</${name}>`).length !== 2) throw new Violation('closes the tag');
      defuse(input);
    },
  },
  'a refusal of a model': {
    modules: ['engines/language/refusal.ts'],
    examples: ['{"choices":[{"message":{"refusal":"I cannot"}}]}'],
    mayThrow: (error) => error instanceof SyntaxError,
    parse: (input) => isDeclined(JSON.parse(input)),
  },
};

export const open = () => Promise.resolve({ parsers, close: () => Promise.resolve() });

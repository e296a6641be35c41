/** Writes by rules if no language model is configured: deterministic, and in the client's own words. */
import { EngineError, type Writing, type Written } from '../../contract/index.ts';
import { cutToTokens, tokensOf } from './budget.ts';
import { copy, copyText } from './copy.ts';
import { describeStyle } from './describe-style.ts';
import { enhance, refine } from './prompts.ts';
import { rewrite } from './rewrite.ts';
import { styleOptions } from './style-options.ts';
import { summarize } from './summarize.ts';
import { cannot, readWishes } from './wishes.ts';

/** A result as text and as JSON. A result without text is always JSON. */
interface Result {
  text: string | null;
  json: object;
}

/** @throws EngineError `input_invalid` for what rules cannot do, `provider_rejected` if JSON exceeds `maxTokens` */
export function writeByRules(writing: Writing): Written {
  const { format, maxTokens } = writing;
  const { text: plain, json } = resultOf(writing);
  if (format && plain !== null && JSON.stringify(format.schema) !== '{"type":"object"}')
    throw cannot('keep to a JSON schema');
  const isJson = format !== null || plain === null;
  const full = isJson ? JSON.stringify(json) : plain;
  if (isJson && maxTokens !== null && tokensOf(full) > maxTokens)
    throw new EngineError('provider_rejected', 'The JSON is longer than maxTokens.', {
      publicMessage: 'The JSON is longer than maxTokens, and JSON cannot be cut. Raise maxTokens.',
    });
  const text = maxTokens === null ? full : cutToTokens(full, maxTokens);
  const given = Object.values(writing.facts as object).filter((fact) => typeof fact === 'string');
  return {
    text,
    finishReason: text === full ? 'stop' : 'length',
    usage: { inputTokens: tokensOf(...given), outputTokens: tokensOf(text) },
  };
}

function resultOf({ purpose, facts }: Writing): Result {
  switch (purpose) {
    case 'rewrite': {
      const text = rewrite(facts.text, readWishes(facts.instructions));
      return { text, json: { text } };
    }
    case 'copy': {
      const wishes = readWishes(facts.instructions);
      const json = copy(facts.text, wishes);
      return { text: copyText(json, wishes), json };
    }
    case 'summarize': {
      const { text, sentences } = summarize(facts.text, readWishes(facts.instructions));
      return { text, json: { summary: text, sentences } };
    }
    case 'enhance-prompt':
    case 'refine-prompt': {
      const prompt =
        purpose === 'enhance-prompt' ? enhance(facts.prompt, facts.style) : refine(facts.prompt, facts.style);
      return { text: prompt, json: { prompt } };
    }
    case 'style-options':
      return { text: null, json: { options: styleOptions(facts.prompt, facts.count) } };
    case 'describe-style':
      return { text: null, json: describeStyle(facts.measured, facts.prompt) };
    case 'list-edits':
      throw cannot('read instructions for edits');
    case 'translate':
      throw cannot('translate');
    case 'freeform':
      throw cannot('answer free instructions');
  }
}

/** Writes by rules if no language model is configured: deterministic, and in the client's own words. */
import { EngineError, type Writing, type Written } from '../../contract/index.ts';
import { cutToTokens, tokensOf } from './budget.ts';
import { copy, copyText } from './copy.ts';
import { describeStyle } from './describe-style.ts';
import { enhance } from './enhance.ts';
import { refine } from './refine.ts';
import { cannot } from './refusals.ts';
import { rewrite } from './rewrite.ts';
import { passages } from './sentences.ts';
import { shaped, type Content } from './shape.ts';
import { styleOptions } from './style-options.ts';
import { summarize } from './summarize.ts';

/** @throws EngineError `input_invalid` for requests that rules cannot fulfil, `provider_rejected` for JSON that does not fit into `maxTokens` */
export function writeByRules(writing: Writing): Written {
  const content = contentOf(writing);
  const given = Object.values(writing.facts as Record<string, unknown>);
  const inputTokens = tokensOf(...given.map((fact) => (typeof fact === 'string' ? fact : null)));
  const json = writing.format !== null || writing.purpose === 'style-options' || writing.purpose === 'describe-style';
  const full = writing.format === null ? content.text : shaped(writing.format.schema, content);
  const text = writing.maxTokens === null || json ? full : cutToTokens(full, writing.maxTokens);
  if (json && writing.maxTokens !== null && tokensOf(full) > writing.maxTokens)
    throw new EngineError('provider_rejected', 'The JSON is longer than maxTokens.', {
      publicMessage: 'The answer does not fit into maxTokens, and JSON cannot be cut. Raise maxTokens.',
    });
  return {
    text,
    finishReason: text === full ? 'stop' : 'length',
    usage: { inputTokens, outputTokens: tokensOf(text) },
  };
}

function contentOf(writing: Writing): Content {
  const { purpose, facts } = writing;
  switch (purpose) {
    case 'rewrite': {
      const text = rewrite(facts.text, facts.instructions);
      return of(text, { text });
    }
    case 'copy': {
      const made = copy(facts.text, facts.instructions);
      const { headline, body, callToAction, sentences } = made;
      const open = { headline, body, callToAction };
      return { ...of(copyText(made, facts.instructions), open), title: headline, body, callToAction, list: sentences };
    }
    case 'summarize': {
      const { text, sentences } = summarize(facts.text, facts.instructions);
      return { ...of(text, { summary: text, sentences }), summary: text, list: sentences };
    }
    case 'list-edits':
      throw cannot('read instructions for edits');
    case 'translate':
      throw cannot('translate');
    case 'freeform':
      throw cannot('answer free instructions');
    case 'enhance-prompt': {
      const text = enhance(facts.prompt, facts.style);
      return of(text, { prompt: text });
    }
    case 'refine-prompt': {
      const text = refine(facts.prompt, facts.style);
      return of(text, { prompt: text });
    }
    case 'style-options': {
      const made = { options: styleOptions(facts.prompt, facts.count) };
      return of(JSON.stringify(made), made);
    }
    case 'describe-style': {
      const made = describeStyle(facts.measured, facts.prompt);
      return of(JSON.stringify(made), { ...made });
    }
  }
}

function of(text: string, open: Record<string, unknown>): Content {
  const list = passages(text).flatMap(({ sentences }) => sentences);
  const first = list[0] ?? '';
  return { text, title: headed(first), body: text, callToAction: '', summary: '', list, open };
}

/** Returns the start of a text, up to the first punctuation, as its title. */
const headed = (sentence: string): string => (/^[^,;:.!?。！？、，]{3,80}/u.exec(sentence)?.[0] ?? sentence).trim();

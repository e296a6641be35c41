/** Reads new backgrounds: a colour, a scene, white or transparent. A blurred background is a quality. */
import { phraseTable, Phrases, saysOnly, wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import { amountOf, scaled } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { pronouns } from './nouns.ts';

const ground = wordSet('background backdrop bg');
const changing = wordSet(
  'replace change swap switch exchange substitute turn make set transform convert fill paint color colour',
);
const using = wordSet('put place set use give add with on');
/** Between a thing and a place, so that the words are not only a scene. */
const placing = wordSet('on in against before over behind to with him her them me us');
const removing = wordSet('remove erase delete drop strip clear eliminate no');
const clearing = wordSet(
  'make turn set get give change convert remove replace should must into it the its background backdrop bg with to be on a an png and transparent',
);
const links = wordSet(
  'the its my this that a an of color colour out it with to be look like into by for as in on should must',
);
/** Words after which "make" or "turn" can name a scene. */
const turning = wordSet('like into to as a an');
/** Ask for a change but name no scene. */
const vague =
  /^(?:it|them|something(?: else| nicer| better)?|another(?: one)?|(?:a )?different(?: one)?|other|better|nicer|(?:less|more|not?|too|without|transparent|none|nothing)\b.*|(?:in|on|off|up|out|down)\b.*)$/u;

/** Whole clauses that name the subject but change the background. */
const aboutSubject = new Phrases(
  phraseTable(`
    remove: isolate|extract|cutout the main| subject|object|foreground|person|people,
      isolate|extract|cutout the main| subject|object|foreground|person|people from the| background,
      cut out the main| subject|object|foreground|person|people,
      cut out the main| subject|object|foreground|person|people from the| background
    blur: focus on the main| subject|object|foreground|person|face, put the focus on the main| subject|object|foreground|person|face,
      draw the| attention to the main| subject|object|foreground|person|face,
      make the main| subject|object|foreground|person pop more|, make the main| subject|object|foreground|person stand out more|
  `),
);
/** What stays in front of the new background: "put him on a beach background". */
const putting = wordSet('put place set move');
const onto = new Phrases(phraseTable('on: on, onto, against, before, over, in front of'));

export function readBackdrop({ plain, words, amount }: Clause): Edit[] | null {
  const idiom = aboutSubject.at(words, 0);
  if (idiom?.end === words.length)
    return idiom.value === 'blur'
      ? [{ kind: 'defocus', amount: scaled(amount, 0.6, 1.2) }]
      : [{ kind: 'backdrop', fill: [1, 1, 1] }];
  if (words.includes('transparent') && saysOnly(plain, clearing)) return [{ kind: 'backdrop', fill: 'transparent' }];
  const at = plain.findIndex((word) => ground.has(word));
  if (at < 0) return null;
  const [before, after] = [withoutSubject(plain.slice(0, at)), plain.slice(at + 1)];
  const [verb = '', ...rest] = before[0] === 'with' ? before.slice(1) : before;
  if (/^(?:from it)?$/u.test(after.join(' ')) && removing.has(verb) && saysOnly(rest, links))
    return [{ kind: 'backdrop', fill: [1, 1, 1] }];
  const start = after.findIndex((word) => !links.has(word));
  // The article belongs to the scene.
  const stated = start < 0 ? [] : after.slice(/^(?:an?|the)$/u.test(after[start - 1] ?? '') ? start - 1 : start);
  if (stated.length > 0) {
    const changes = changing.has(verb) && saysOnly(rest, links);
    const drawn = !/^(?:make|turn|set)$/u.test(verb) || after.slice(0, start).some((word) => turning.has(word));
    return changes || (start > 0 && saysOnly(before, links)) ? filledWith(stated, changes && drawn) : null;
  }
  const as = before.lastIndexOf('as');
  const said = as > 0 && as >= before.length - 2 ? before.slice(0, as) : before;
  const named = said.slice(said.findIndex((word) => !using.has(word) && !links.has(word)));
  if (after.length > 0 || named.length === 0 || links.has(named.at(-1) ?? '')) return null;
  return filledWith(named, using.has(verb) && verb !== 'on' && !named.some((word) => placing.has(word)));
}

/** Shortens "put him on" and "place the dog against" to their verb. */
function withoutSubject(words: readonly string[]): readonly string[] {
  const [verb = '', first = ''] = words;
  const end = !putting.has(verb) ? 0 : first === 'it' || pronouns.has(first) ? 2 : first === 'the' ? 3 : 0;
  const place = end > 0 ? onto.at(words, end) : null;
  return place ? [verb, ...words.slice(place.end)] : words;
}

function filledWith(words: readonly string[], canBeScene: boolean): Edit[] | null {
  const { rest } = amountOf(words);
  const colour = colourOf(rest.join(' ').replace(/^(?:an? )?(?:plain|solid|uniform|simple|flat|clean|studio) /u, ''));
  if (colour) return [{ kind: 'backdrop', fill: colour }];
  const scene = words.join(' ').replace(/ as (?:the |a )?background$/u, '');
  const says = rest.some((word) => /^\p{L}/u.test(word) && !links.has(word));
  return canBeScene && says && !vague.test(scene) ? [{ kind: 'backdrop', fill: { scene } }] : null;
}

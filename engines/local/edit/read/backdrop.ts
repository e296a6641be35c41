/** Reads what is to become of the background: blurred, another colour, another scene, gone. */
import type { Edit } from '../edits.ts';
import { scaled } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';

const ground = '(?:the |its |my |this |that |a |an )?(?:background|backdrop|bg|back ground)';
/** What the sharp part of a portrait is called. */
const sitter =
  '(?:him|her|them|me|us|everyone|everybody|(?:the |my |his |her |their |its )?(?:main )?(?:subjects?|object|foreground|persons?|people|man|men|woman|women|boys?|girls?|child|children|kids?|baby|couple))';
const transparent = new RegExp(
  `\\btransparent\\b.*\\b(?:background|backdrop|bg)|\\b(?:background|backdrop|bg)\\b.*\\btransparent\\b|^(?:make )?(?:it )?(?:a )?transparent(?: png)?$`,
  'u',
);
const removal = new RegExp(
  `^(?:remove|erase|delete|drop|cut out|strip|take (?:away|out|off)|get rid of|clear|eliminate) ${ground}(?: from it)?$|^(?:cut ?out|isolate|extract) the (?:main )?(?:subject|object|foreground|person|people)(?: from ${ground})?$|^(?:with )?no background$`,
  'u',
);
const replacement = new RegExp(
  `^(?:replace|change|swap|switch|exchange|substitute|turn|make|set|transform|convert|fill|paint|colou?r) (?:out )?(?:the colou?r of )?${ground}(?: colou?r)?(?: out)?(?: (?:with|to be|to look like|to|into|by|for|as|in|look like|be|a|an))? (.+)$`,
  'u',
);
const placing = new RegExp(
  `^(?:put|place|set|move|use|add|have|give|show)(?: it| (?:him|her|them|me|us)| the (?:main )?(?:subject|object|person|man|woman|people|[\\p{L}]+))? (?:(?:on|in front of|against|onto|before|over|with|to) )?(?:an? |the )?(?:(.+?) (?:as (?:the |a |its )?)?(?:background|backdrop|bg)|(?:background|backdrop|bg) (?:of|with|to|like|showing) (.+))$`,
  'u',
);
const stated = new RegExp(`^${ground} (?:should be|to be|must be|becomes?|in|is|to) (.+)$`, 'u');
const coloured = /^(?:with |on )?(?:an? )?(.+) (?:background|backdrop|bg)$/u;
const blurred =
  /^(?:(?:apply|add|give|get|make|create|use|with|want|have)(?: it)? )?(?:an? |the |some |more )?(?:(?:nice|soft|creamy|shallow|beautiful|portrait)[ -])*(?:bokeh(?: (?:blur|effect|look))?|(?:shallow )?depth[ -]of[ -]field(?: effect)?|portrait mode(?: (?:effect|look|blur))?|background blur)(?: effect)?(?: (?:to|on|in|behind) .{1,30})?$/u;
const blurring = new RegExp(
  `^(?:blur|defocus|unfocus|soften)(?: out)? ${ground}$|^(?:make|turn|get|keep|render) ${ground} (?:look )?(?:more )?(?:blurr(?:y|ed|ier)|out of focus|unfocused|defocused|soft|softer|fuzzy)$|^(?:throw|put) ${ground} out of focus$|^(?:add |apply |more )?(?:an? )?blur (?:to|on|in) ${ground}$|^blur (?:everything|all|it) (?:behind (?:him|her|them|it|me|us|the [\\p{L}-]+)|(?:except|around|but|outside)(?: for| of)? ${sitter})$|^(?:with )?(?:an? )?(?:blurry|blurred|out of focus|softer) (?:background|backdrop)$|^(?:focus on|put the focus on|draw (?:the )?attention to) the (?:main )?(?:subject|foreground|person|face|object)$|^${ground} blur$|^make the (?:main )?(?:subject|person|object|foreground) (?:stand out|pop)(?: more)?$`,
  'u',
);
/** Asked of the background, but no scene to draw. */
const vague =
  /^(?:it|them|something(?: else| nicer| better)?|another|different|another one|a different one|other|better|nicer|less .*|more .*|not .*|too .*|(?:in|on|off|up|out|down)\b.*)$/u;

export function readBackdrop(clause: Clause): Edit[] | null {
  const { text, plain, amount } = clause;
  if (blurred.test(text) || blurring.test(text)) return [{ kind: 'defocus', amount: scaled(amount, 0.6, 1.2) }];
  if (transparent.test(text)) return [{ kind: 'backdrop', fill: 'transparent' }];
  if (removal.test(text)) return [{ kind: 'backdrop', fill: [1, 1, 1] }];
  const what = askedOf(text);
  if (!what) return null;
  const colour = colourOf(what.replace(/^(?:an? )?(?:plain|solid|uniform|simple|flat|clean|studio) /u, ''));
  if (colour) return [{ kind: 'backdrop', fill: colour }];
  const sceneful = replacement.exec(text) ? /^(?:make|turn|set)\b/u.test(text) === false : placing.exec(text) !== null;
  if (vague.test(what) || (!sceneful && !/^(?:make|turn|set) .*\b(?:look like|into|to|as|a|an) /u.test(text)))
    return null;
  return [
    {
      kind: 'backdrop',
      fill: { scene: (askedOf(plain) ?? what).replace(/ as (?:the |a )?(?:background|backdrop)$/u, '') },
    },
  ];
}

function askedOf(text: string): string | undefined {
  const asked = replacement.exec(text) ?? placing.exec(text) ?? stated.exec(text) ?? coloured.exec(text);
  return (asked?.[1] ?? asked?.[2])?.trim();
}

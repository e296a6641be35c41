/** Finds prompts that ask for sexual or gory content, by whole words. Harmless phrases are exceptions. */

/** Harmless phrases that contain a listed word. They are removed before the check. */
const harmless =
  /\b(?:(?:chicken|turkey|duck|goose) breasts?|breasts? of (?:a )?(?:chicken|turkey|duck|goose)|robin red ?breasts?|breast ?(?:stroke|plate|feeding|cancer)|nude (?:colou?r(?:ed)?|tones?|lipstick|heels|palette|shade)|blood (?:oranges?|moons?|type|donation|donors?|pressure|cells?)|dick (?:tracy|van dyke|turpin)|cock(?:atoo|tails?|pit)|virgin (?:olive oil|islands?|forest|snow|mojito)|sex ?(?:change of|tet|tant)|same[- ]sex (?:wedding|couple|marriage)|bare (?:trees?|branch(?:es)?|feet|hands?)|naked (?:trees?|branch(?:es)?|mole[- ]rats?|flames?|eye)|gore[- ]tex|hot[- ]dog|strip (?:mall|map|of)|comic strips?|guts? feeling)\b/gu;

const sexual =
  /\b(?:porn(?:o|ographic|ography)?|nsfw|hentai|xxx|erotic(?:a|ism)?|sex|sexual|sexually|sexy|nude|nudes|nudity|naked|nakedness|topless|bottomless|undressed|unclothed|genitals?|genitalia|penis(?:es)?|vaginas?|vulva|pussy|cock|dick|boobs?|tits?|titties|nipples?|breasts?|bare (?:breasted|chested woman)|cleavage|lingerie|fetish|bdsm|bondage|orgasms?|orgy|blowjobs?|handjobs?|masturbat(?:e|es|ing|ion)|intercourse|fellatio|cunnilingus|creampie|cumshot|milf|striptease|strippers?|prostitutes?|escort girl|camgirl|onlyfans|upskirt|lolicon|shotacon|loli|rape|raped|raping|molest(?:ed|ing)?)\b/u;

const gory =
  /\b(?:gore|gory|guro|snuff film|disembowel(?:ed|ment|ing|led|ling)?|decapitat(?:ed|ion|ing)|behead(?:ed|ing)?|dismember(?:ed|ment|ing)?|mutilat(?:ed|ion|ing)|eviscerat(?:ed|ion)|entrails|severed (?:head|limb|arm|leg|hand|finger)s?|flayed|impaled|bloodbath|blood[- ]?soaked|covered in blood|pools? of blood|bloody (?:corpse|body|bodies|murder|massacre|mess)|mangled (?:body|bodies|corpse)|torture(?:d|s)?|corpses?|cannibalism|suicide|self[- ]harm|slit (?:throat|wrists?))\b/u;

/** Returns the kind of content that requires `nsfw: true`, or null. */
export function findBlockedContent(prompt: string): 'sexual' | 'gory' | null {
  const text = prompt
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, ' ')
    .replaceAll(harmless, ' ');
  if (sexual.test(text)) return 'sexual';
  if (gory.test(text)) return 'gory';
  return null;
}

/** Summaries by rule: sentences of the text itself, in order, as many as requested, in any language. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ask, wordsOf } from './rules-writing.ts';

const council = [
  'The city council voted on Tuesday to build 120 new apartments near the old harbour.',
  'The project will cost 45 million euros and should be finished by 2028.',
  'Residents had complained about rising rents for years.',
  'Mayor Elena Brandt called the vote "a turning point. For everyone."',
  'Some neighbours fear more traffic in the narrow streets.',
  'The council promised a new tram line that will connect the harbour with the centre.',
  'Construction is expected to begin next spring.',
  'A third of the apartments will be reserved for families with low incomes.',
];
const lake = [
  'Der Bodensee ist der größte See Deutschlands.',
  'Am 3. Mai begann dort die neue Saison.',
  'Dr. Keller vom Institut für Seenforschung in Langenargen misst seit 1987 die Temperatur des Sees.',
  'Das Wasser ist heute im Mittel 1,5 Grad wärmer als damals.',
  'Viele Fische ziehen sich deshalb in die Tiefe zurück.',
  'Der See liefert Trinkwasser für 4 Millionen Menschen.',
];
const library = [
  '東京の新しい図書館が四月に開館した。',
  '建物は木とガラスでできている。',
  '一日に約三千人が訪れる。',
  '図書館には五十万冊の本がある。',
  '子どものための部屋も人気だ。',
];
const beach = [
  'What a day 🎉🎉!',
  'The sea was warm 🌊.',
  'The kids built a sandcastle 🏰 with a moat by the warm sea.',
  'Then it rained ☔️.',
];
const museum = [
  'El museo reabrió el lunes.',
  'La renovación del museo costó 8 millones de euros.',
  'El edificio tiene ahora 20 salas nuevas.',
  'Los visitantes pueden entrar gratis los domingos.',
];
const written = (sentences: readonly string[]): string => sentences.join(sentences === library ? '' : ' ');

test.each<[sentences: string[], instructions: string | null, count: number]>([
  [council, null, 3],
  [council, 'in one sentence', 1],
  [council, '4 sentences', 4],
  [council, 'briefly', 2],
  [council, 'longer', 4],
  [lake, null, 2],
  [lake, 'in einem Satz', 1],
  [library, '一文で', 1],
  [library, null, 2],
  [museum, 'en una frase', 1],
  [beach, null, 1],
  [['One sentence only.'], null, 1],
])('%s (%s)', (sentences, instructions, count) => {
  const out = ask('summarize', written(sentences), instructions);
  const chosen = sentences.filter((sentence) => out.includes(sentence));
  expect(chosen).toHaveLength(count);
  // In their order, and nothing else.
  expect(out.replaceAll(/\s+/gu, '')).toBe(chosen.join('').replaceAll(/\s+/gu, ''));
});

test('chooses the sentences that tell most', () => {
  expect(ask('summarize', written(council), 'one sentence')).toMatch(/^The city council voted/);
  expect(ask('summarize', written(lake), 'ein Satz')).toMatch(/Langenargen|Bodensee/);
  expect(ask('summarize', written(beach))).toContain('🏰');
});

test('returns the requested bullets, numbers, words and characters', () => {
  expect(ask('summarize', written(council), 'three bullet points')).toMatch(/^- [^\n]+[^.]\n- [^\n]+\n- [^\n]+$/);
  expect(ask('summarize', written(lake), 'drei Stichpunkte').split('\n')).toHaveLength(3);
  expect(ask('summarize', written(council), 'a numbered list of 2 points')).toMatch(/^1\. [^\n]+\n2\. [^\n]+$/);
  for (const count of [5, 20, 50, 80]) {
    const out = ask('summarize', written(council), `in ${count} words`);
    expect(wordsOf(out).length).toBeLessThanOrEqual(count);
    expect(wordsOf(out).length).toBeGreaterThan(count / 3);
  }
  for (const count of [10, 60, 200])
    expect([...ask('summarize', written(council), `at most ${count} characters`)].length).toBeLessThanOrEqual(count);
  expect([...ask('summarize', written(library), 'in 20 characters')].length).toBeLessThanOrEqual(20);
});

test('returns a summary no longer than the text, and the same each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
      fc.pre(text.trim() !== '');
      const out = ask('summarize', text);
      expect(out.length).toBeLessThanOrEqual(text.length);
      expect(ask('summarize', text)).toBe(out);
    }),
    { numRuns: 300 },
  );
});

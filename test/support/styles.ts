/** Inserts an encoded style for requests that use one. */
import type { EncodedStyle } from '../../schemas/style-dna.ts';
import type { Database } from '../../store/database.ts';
import { Style } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';

const measure = {
  palette: [{ colour: '#334455', share: 1 }],
  light: { brightness: 0.5, contrast: 0.5, warmth: 0.5 },
  colour: { saturation: 0.5, variety: 0.5 },
  texture: { grain: 0.5, edges: 0.5, scale: 0.5 },
};
const dna: EncodedStyle = { version: 1, source: 'images', measure, words: { summary: 'Blue.', keywords: ['blue'] } };

/** Inserts the style and returns its id. */
export async function encodedStyle(db: Database, owner: { org: string; key: string }): Promise<string> {
  const id = newId('sty');
  await db.em().insert(Style, { id, ...owner, name: 'blue', dna, createdAt: new Date() });
  return id;
}

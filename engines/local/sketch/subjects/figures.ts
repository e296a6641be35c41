/** Bodies for icons that are only heads: sitting animals, robed and walking figures. */
import { iconBody } from './icons.ts';

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

function head(name: string, x: number, y: number, size: number): string {
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 128 128">${iconBody(name) ?? ''}</svg>`;
}

/** An animal that sits and looks at the viewer. */
export function sitting(
  name: string,
  fur: string,
  belly: string,
  dark: string,
  tail: 'bushy' | 'tuft' | 'none',
): Drawing {
  const tails = {
    bushy: `<path d="M88 160c22 6 40-10 36-34-2-14-12-22-14-34-10 12-6 24-8 34-2 12-10 18-18 18z" fill="${fur}"/><path d="M110 92c-8 10-8 18-7 26 8-6 16-4 20 6 1-14-10-20-13-32z" fill="${belly}"/>`,
    tuft: `<path d="M92 162c22 2 30-16 22-34" fill="none" stroke="${fur}" stroke-width="6" stroke-linecap="round"/><ellipse cx="113" cy="124" rx="8" ry="12" fill="${dark}"/>`,
    none: '',
  };
  const body = `${tails[tail]}
<path d="M64 70C36 76 24 124 26 170h76c2-46-10-94-38-100z" fill="${fur}"/>
<ellipse cx="33" cy="160" rx="17" ry="15" fill="${fur}"/><ellipse cx="95" cy="160" rx="17" ry="15" fill="${fur}"/>
<ellipse cx="64" cy="120" rx="19" ry="32" fill="${belly}"/>
<path d="M46 112c0 18-2 36 0 58h14c2-20 1-38-2-56zM82 112c0 18 2 36 0 58H68c-2-20-1-38 2-56z" fill="${fur}"/>
<path d="M44 112c-4 18-4 38-2 58M84 112c4 18 4 38 2 58" stroke="${dark}" stroke-opacity=".35" stroke-width="2.5" fill="none"/>
<ellipse cx="52" cy="170" rx="10" ry="6" fill="${dark}"/><ellipse cx="76" cy="170" rx="10" ry="6" fill="${dark}"/>
<ellipse cx="28" cy="171" rx="11" ry="6" fill="${dark}"/><ellipse cx="100" cy="171" rx="11" ry="6" fill="${dark}"/>
${head(name, 15, 0, 98)}`;
  return { width: 128, height: 178, body };
}

/** A person in a long robe or dress. */
export function robed(name: string, robe: string, trim: string): Drawing {
  const body = `<path d="M30 92C22 140 14 190 8 232c34 10 78 10 112 0-6-42-14-92-22-140-20-8-48-8-68 0z" fill="${robe}"/>
<path d="M56 96c-4 48-8 92-14 141h44c-6-49-10-93-14-141z" fill="${trim}" fill-opacity=".45"/>
<path d="M8 232c34 10 78 10 112 0l-2-12c-32 9-76 9-108 0z" fill="${trim}"/>
<path d="M30 94c-10 18-16 42-18 64l16 4c4-18 8-36 12-50zM98 94c10 18 16 42 18 64l-16 4c-4-18-8-36-12-50z" fill="${robe}"/>
<path d="M38 110c-4 16-8 34-10 52M90 110c4 16 8 34 10 52" stroke="#000" stroke-opacity=".22" stroke-width="3" fill="none"/>
${head(name, 14, 0, 100)}`;
  return { width: 128, height: 242, body };
}

/** A person in trousers, standing. */
export function standing(name: string, coat: string, trousers: string): Drawing {
  const body = `<path d="M40 150l-3 78h22l5-66 5 66h22l-3-78z" fill="${trousers}"/>
<path d="M34 228c-4 8 0 10 6 10h18v-12H38zM94 228c4 8 0 10-6 10H70v-12h20z" fill="#2b2420"/>
<path d="M32 88c-6 20-6 50-4 74h72c2-24 2-54-4-74-20-8-44-8-64 0z" fill="${coat}"/>
<path d="M32 90c-12 16-18 44-19 66l13 3c4-20 8-36 14-48zM96 90c12 16 18 44 19 66l-13 3c-4-20-8-36-14-48z" fill="${coat}"/>
<circle cx="19" cy="162" r="7" fill="#e0ac84"/><circle cx="109" cy="162" r="7" fill="#e0ac84"/>
<path d="M39 108c-3 18-5 36-5 52M89 108c3 18 5 36 5 52M64 96v64" stroke="#000" stroke-opacity=".2" stroke-width="2.5" fill="none"/>
${head(name, 14, 0, 100)}`;
  return { width: 128, height: 240, body };
}

/** Makes the contact sheet as HTML and as PNG: a row per artwork, with its inputs next to its results. */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

export interface Picture {
  /** Name of the file in the sheet's folder. */
  file: string;
  bytes: Buffer;
  caption: string;
}

export interface Row {
  title: string;
  subtitle: string;
  inputs: Picture[];
  outputs: Picture[];
}

const cell = 232;
const gap = 12;
const lineHeight = 20;

const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

export async function writeHtml(folder: string, rows: readonly Row[]): Promise<string> {
  const figure = (kind: string) => (picture: Picture) =>
    `<figure class="${kind}"><a href="${picture.file}"><img src="${picture.file}" alt=""></a><figcaption>${escape(picture.caption)}</figcaption></figure>`;
  const sections = rows.map(
    ({ title, subtitle, inputs, outputs }) =>
      `<section><h2>${escape(title)} <small>${escape(subtitle)}</small></h2>${inputs.map(figure('in')).join('')}${outputs.map(figure('out')).join('')}</section>`,
  );
  const file = join(folder, 'contact-sheet.html');
  await writeFile(
    file,
    `<!doctype html><meta charset="utf-8"><title>Atelier: contact sheet</title>${style}${sections.join('\n')}\n`,
  );
  return file;
}

const style = `<style>
  body { font: 14px system-ui, sans-serif; margin: 2rem; background: #fafafa; color: #222 }
  h2 { font-size: 1rem } small { font-weight: normal; color: #666 }
  figure { display: inline-block; margin: 0 12px 12px 0; vertical-align: top } figcaption { color: #666; font-size: 12px }
  img { max-width: 300px; max-height: 300px; background: repeating-conic-gradient(#ccc 0 25%, #fff 0 50%) 0 0 / 16px 16px }
  .in img { outline: 2px solid #999 }
</style>`;

export async function writePng(folder: string, rows: readonly Row[]): Promise<string> {
  const layers: OverlayOptions[] = [];
  let top = gap;
  let width = 0;
  for (const { title, subtitle, inputs, outputs } of rows) {
    layers.push(...(await text(`<b>${escape(title)}</b>  ${escape(subtitle)}`, gap, top)));
    top += lineHeight;
    let tallest = 0;
    for (const [column, picture] of [...inputs, ...outputs].entries()) {
      const left = gap + column * (cell + gap);
      const { data, info } = await thumbnail(picture.bytes);
      layers.push({ input: data, left, top }, ...(await text(escape(picture.caption), left, top + info.height + 3)));
      tallest = Math.max(tallest, info.height);
      width = Math.max(width, left + cell + gap);
    }
    top += tallest + lineHeight + 2 * gap;
  }
  const file = join(folder, 'contact-sheet.png');
  await sharp({ create: { width, height: top, channels: 3, background: '#fafafa' } })
    .composite(layers)
    .png()
    .toFile(file);
  return file;
}

/** Fits the picture into a cell, with a chequered background behind transparent parts. */
async function thumbnail(bytes: Buffer) {
  const { data, info } = await sharp(bytes)
    .resize(cell, cell, { fit: 'inside' })
    .ensureAlpha()
    .png()
    .toBuffer({ resolveWithObject: true });
  const squares = `<svg xmlns="http://www.w3.org/2000/svg" width="${info.width}" height="${info.height}"><defs><pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" fill="#fff"/><path d="M0 0h8v16h8V8H0z" fill="#ccc"/></pattern></defs><rect width="100%" height="100%" fill="url(#p)"/></svg>`;
  return sharp(Buffer.from(squares))
    .composite([{ input: data }])
    .png()
    .toBuffer({ resolveWithObject: true });
}

async function text(markup: string, left: number, top: number): Promise<OverlayOptions[]> {
  if (markup.trim() === '') return [];
  const input = await sharp({
    text: {
      text: `<span size="8500" foreground="#333">${markup}</span>`,
      font: 'DejaVu Sans',
      fontfile: font,
      rgba: true,
      dpi: 96,
    },
  })
    .png()
    .toBuffer();
  return [{ input, left, top }];
}

const escape = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

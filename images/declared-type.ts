/** Compares the type that a server declares for a file with the type that its bytes have. */
import { formatOf } from './header.ts';
import { contentTypes } from './picture.ts';

/** Other names of the types, in use by servers. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': contentTypes.jpeg,
  'image/pjpeg': contentTypes.jpeg,
  'image/x-png': contentTypes.png,
};

/** Types that contradict an image. Others, such as `application/octet-stream`, say nothing about the bytes. */
const definite = /^image\/[^*]|^(audio|video)\/|^text\/(?!plain$)|json|xml|pdf|javascript/;

export interface Contradiction {
  declaredType: string;
  foundType: string;
}

/**
 * Returns null when the declaration fits the bytes, or says nothing about them.
 * @param declared the header `Content-Type`
 */
export function findContradiction(declared: string | null, bytes: Uint8Array): Contradiction | null {
  const [name = ''] = (declared ?? '').toLowerCase().split(';');
  const declaredType = aliases[name.trim()] ?? name.trim();
  const format = formatOf(bytes);
  const foundType = format ? contentTypes[format] : 'unknown';
  // The header may be a long text.
  return declaredType === foundType || !definite.test(declaredType)
    ? null
    : { declaredType: declaredType.slice(0, 100), foundType };
}

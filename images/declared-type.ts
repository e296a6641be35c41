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
 * Returns null when the declaration fits the bytes or says nothing about them, and for bytes that are no image, which the
 * decoder refuses.
 * @param declared the header `Content-Type`
 */
export function findContradiction(declared: string | null, bytes: Uint8Array): Contradiction | null {
  const format = formatOf(bytes);
  if (!format) return null;
  const [name = ''] = (declared ?? '').toLowerCase().split(';');
  const declaredType = aliases[name.trim()] ?? name.trim();
  const foundType = contentTypes[format];
  if (declaredType === foundType || !definite.test(declaredType)) return null;
  // The header may be a long text.
  return { declaredType: declaredType.slice(0, 100), foundType };
}

/** The abilities of the embedded editor, in words that a client may write. */
export const abilities = [
  'brighten or darken',
  'change contrast, shadows or highlights',
  'make warmer or cooler',
  'change the saturation',
  'tint in a colour',
  'black and white, sepia, vintage or inverted colours',
  'blur or pixelate the picture, the background or faces',
  'sharpen, denoise, add clarity, grain or a vignette',
  'replace, recolour or remove the background',
  'change the colour of an object',
  'remove an object or what a mask covers',
  'crop, zoom, extend, rotate, straighten, flip or resize',
] as const;

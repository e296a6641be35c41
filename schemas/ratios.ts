/** Aspect ratios of photo-pilot. Width and height are those of a result of about one megapixel. */
import type { AspectRatio } from './families/family.ts';

export const ratios: readonly AspectRatio[] = [
  { id: '1:1', width: 1024, height: 1024 },
  { id: '16:9', width: 1344, height: 756 },
  { id: '9:16', width: 756, height: 1344 },
  { id: '4:3', width: 1152, height: 864 },
  { id: '3:4', width: 864, height: 1152 },
  { id: '3:2', width: 1248, height: 832 },
  { id: '2:3', width: 832, height: 1248 },
  { id: '5:4', width: 1120, height: 896 },
  { id: '4:5', width: 896, height: 1120 },
  { id: '21:9', width: 1568, height: 672 },
];

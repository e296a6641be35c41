/** What a family of image models offers: its catalogue of styles and aspect ratios. */

/** A named look of a family. */
export interface Style {
  /** What a request names: `watercolor`. Stable. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The image tiles: its left and right, top and bottom edges meet. */
  readonly seamless: boolean;
}

export interface AspectRatio {
  /** `16:9` */
  readonly id: string;
  /** Pixels, multiples of 8. */
  readonly width: number;
  readonly height: number;
}

export interface Family {
  readonly family: string;
  readonly styles: readonly Style[];
  /** Other operations that take these styles. */
  readonly variations?: readonly string[];
  readonly defaultAspectRatio: string;
  readonly aspectRatios: readonly AspectRatio[];
}

/** @returns a style in words that any image model understands; null for none */
export function styleInWords({ styles }: Family, id: string | null): string | null {
  const style = styles.find((one) => one.id === id);
  return style ? `${style.name}: ${style.description}` : null;
}

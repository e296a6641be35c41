/** A family of image models: its styles and aspect ratios. */

/** A named look of a family. */
export interface Style {
  /** The value in a request, such as `watercolor`. Never changes. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Whether the image tiles: its opposite edges match. */
  readonly seamless: boolean;
}

export interface AspectRatio {
  /** The value in a request, such as `16:9`. */
  readonly id: string;
  /** Pixels, multiples of 8. */
  readonly width: number;
  readonly height: number;
}

export interface Family {
  readonly family: string;
  readonly styles: readonly Style[];
  /** Other operations that support these styles. */
  readonly variations?: readonly string[];
  readonly defaultAspectRatio: string;
  readonly aspectRatios: readonly AspectRatio[];
}

/** Describes a style in words that any image model understands. Returns null if there is no such style. */
export function styleInWords({ styles }: Family, id: string | null): string | null {
  const style = styles.find((one) => one.id === id);
  return style ? `${style.name}: ${style.description}` : null;
}

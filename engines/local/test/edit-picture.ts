/** Measures pictures. */
import sharp from 'sharp';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, max, min, sqrt, log10 } = Math;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
type Rgb = [number, number, number];

export class Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;

  constructor(width: number, height: number, data: Uint8Array) {
    this.width = width;
    this.height = height;
    this.data = data;
  }

  static async of(bytes: Uint8Array): Promise<Picture> {
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return new Picture(info.width, info.height, data);
  }

  /** Offsets of a box's pixels. */
  *at(box: Box = { x: 0, y: 0, width: this.width, height: this.height }): Generator<number> {
    for (let y = box.y; y < box.y + box.height; y++)
      for (let x = box.x; x < box.x + box.width; x++) yield (y * this.width + x) * 4;
  }

  gray(o: number): number {
    return 0.299 * this.data[o]! + 0.587 * this.data[o + 1]! + 0.114 * this.data[o + 2]!;
  }

  grays(box?: Box): number[] {
    return Array.from(this.at(box), (o) => this.gray(o));
  }

  light(box?: Box): number {
    return average(this.grays(box));
  }

  spread(box?: Box): number {
    const grays = this.grays(box);
    const mean = average(grays);
    return sqrt(average(grays.map((v) => (v - mean) ** 2)));
  }

  mean(box?: Box): Rgb {
    const all = [...this.at(box)];
    return [0, 1, 2].map((k) => average(all.map((o) => this.data[o + k]!))) as Rgb;
  }

  chroma(): number {
    const { data } = this;
    return average(
      Array.from(this.at(), (o) => {
        const [r, g, b] = [data[o]!, data[o + 1]!, data[o + 2]!];
        return max(r, g, b) - min(r, g, b);
      }),
    );
  }

  share(is: (rgb: Rgb) => boolean): number {
    return average(Array.from(this.at(), (o) => (is([...this.data.subarray(o, o + 3)] as Rgb) ? 1 : 0)));
  }

  alpha(box: Box): number {
    return average(Array.from(this.at(box), (o) => this.data[o + 3]!));
  }

  /** Variance of the Laplacian. */
  detail({ x, y, width, height }: Box): number {
    const row = this.width * 4;
    const inside = { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
    const values = Array.from(
      this.at(inside),
      (o) => 4 * this.gray(o) - this.gray(o - 4) - this.gray(o + 4) - this.gray(o - row) - this.gray(o + row),
    );
    const mean = average(values);
    return average(values.map((v) => (v - mean) ** 2));
  }

  difference(other: Picture, box: Box): number {
    return average(
      Array.from(this.at(box), (o) => average([0, 1, 2].map((k) => abs(this.data[o + k]! - other.data[o + k]!)))),
    );
  }

  /** Correlation of light. */
  likeness(other: Picture, box: Box): number {
    const [a, b] = [this.grays(box), other.grays(box)];
    const [ma, mb] = [average(a), average(b)];
    const both = average(a.map((v, i) => (v - ma) * (b[i]! - mb)));
    return both / sqrt(average(a.map((v) => (v - ma) ** 2)) * average(b.map((v) => (v - mb) ** 2)));
  }

  /** How much the rows' means differ from each other: level lines make them differ most. */
  rows(): number {
    const steps: number[] = [];
    for (let y = 1; y < this.height; y++) {
      const line = (n: number): number => this.light({ x: 0, y: n, width: this.width, height: 1 });
      steps.push((line(y) - line(y - 1)) ** 2);
    }
    return average(steps);
  }

  part(box: Box): Picture {
    const bytes = [...this.at(box)].flatMap((o) => [...this.data.subarray(o, o + 4)]);
    return new Picture(box.width, box.height, Uint8Array.from(bytes));
  }
}

const average = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

export function psnr(a: Picture, b: Picture, box?: Box): number {
  const errors = Array.from(a.at(box), (o) => average([0, 1, 2].map((k) => (a.data[o + k]! - b.data[o + k]!) ** 2)));
  return 10 * log10(255 ** 2 / average(errors));
}

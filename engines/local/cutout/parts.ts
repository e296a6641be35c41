/** The connected parts of a mask: which to keep, which holes to close. */

export interface Parts {
  /** 0 where the mask is empty, else the part's number, from 1. */
  readonly labels: Int32Array;
  /** Pixels of each part; `areas[0]` is unused. */
  readonly areas: readonly number[];
  /** Whether a part reaches the image's border. */
  readonly atBorder: readonly boolean[];
}

/** Four-connected. */
export function partsOf(mask: Uint8Array, width: number, height: number): Parts {
  const labels = new Int32Array(mask.length);
  const queue = new Int32Array(mask.length);
  const areas = [0];
  const atBorder = [false];
  for (let start = 0; start < mask.length; start++) {
    if (!mask[start] || labels[start]) continue;
    const label = areas.length;
    let head = 0;
    let tail = 0;
    let border = false;
    labels[start] = label;
    queue[tail++] = start;
    const visit = (i: number) => {
      if (!mask[i] || labels[i]) return;
      labels[i] = label;
      queue[tail++] = i;
    };
    while (head < tail) {
      const i = queue[head++]!;
      const x = i % width;
      const y = (i - x) / width;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (y > 0) visit(i - width);
      if (y < height - 1) visit(i + width);
      border ||= x === 0 || y === 0 || x === width - 1 || y === height - 1;
    }
    areas.push(tail);
    atBorder.push(border);
  }
  return { labels, areas, atBorder };
}

/** Keeps the parts that `keep` says yes to. */
export function kept(mask: Uint8Array, parts: Parts, keep: (label: number) => boolean): Uint8Array {
  const wanted = parts.areas.map((_, label) => label > 0 && keep(label));
  return mask.map((_, i) => (wanted[parts.labels[i]!] ? 1 : 0));
}

/** Closes the holes of at most `area` pixels. */
export function withoutHoles(mask: Uint8Array, width: number, height: number, area: number): Uint8Array {
  const empty = mask.map((value) => (value ? 0 : 1));
  const { labels, areas, atBorder } = partsOf(empty, width, height);
  return mask.map((value, i) => (value || (!atBorder[labels[i]!] && areas[labels[i]!]! <= area) ? 1 : 0));
}

/** Leaves out the parts that are smaller than a share of the largest. */
export function withoutSpecks(mask: Uint8Array, width: number, height: number, share: number): Uint8Array {
  const parts = partsOf(mask, width, height);
  const largest = parts.areas.reduce((most, area) => Math.max(most, area), 0);
  return kept(mask, parts, (label) => parts.areas[label]! >= largest * share);
}

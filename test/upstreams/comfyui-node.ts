/** What a node of a fake ComfyUI is, declared as ComfyUI's source declares its nodes. */
/** A tensor of ours: a picture, encoded. A mask is one as well. */
export interface Picture {
  width: number;
  height: number;
  png: Buffer;
}

type Inputs = Record<string, unknown>;

/** What nodes are given beside their inputs. */
export interface Disk {
  inputs: ReadonlyMap<string, Buffer>;
  /** @returns what `/view` finds it by */
  save(png: Buffer, prefix: string, type: 'output' | 'temp'): { filename: string; subfolder: string; type: string };
}

export interface NodeClass {
  required: Record<string, Input>;
  optional?: Record<string, Input>;
  returns: string[];
  isOutput?: boolean;
  /** An input that names a file of the folder `input`, and is checked for being there. */
  file?: string;
  run(inputs: Inputs, disk: Disk): unknown[] | Promise<unknown[]>;
}

/** A type of its own, numbers with bounds, or a list of what may be chosen. */
export type Input = string | { type: 'INT' | 'FLOAT'; min: number; max: number } | readonly (string | number)[];

export const int = (min: number, max: number): Input => ({ type: 'INT', min, max });
export const float = (min: number, max: number): Input => ({ type: 'FLOAT', min, max });

/** A node of which only the wiring counts here. */
export const opaque = (
  required: Record<string, Input>,
  returns: string[],
  optional: Record<string, Input> = {},
): NodeClass => ({
  required,
  optional,
  returns,
  run: (inputs) => returns.map(() => inputs.conditioning ?? inputs.image ?? inputs.da3_geometry ?? 'loaded'),
});

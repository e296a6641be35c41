/** The type of a node of a fake ComfyUI, which follows the declarations of nodes in ComfyUI's source. */

/** The fake's counterpart of a tensor: an encoded image, or an encoded mask. */
export interface Picture {
  width: number;
  height: number;
  png: Buffer;
}

type Inputs = Record<string, unknown>;

/** Files that nodes read and write. */
export interface Disk {
  inputs: ReadonlyMap<string, Buffer>;
  /** Stores a file and returns the parameters of `/view` for it. */
  save(png: Buffer, prefix: string, type: 'output' | 'temp'): { filename: string; subfolder: string; type: string };
}

export interface NodeClass {
  required: Record<string, Input>;
  optional?: Record<string, Input>;
  returns: string[];
  isOutput?: boolean;
  /** Name of the input that names a file in the folder `input`. Validation checks that the file exists. */
  file?: string;
  run(inputs: Inputs, disk: Disk): unknown[] | Promise<unknown[]>;
}

/** The name of a type, a number with bounds, or a list of choices. */
export type Input = string | { type: 'INT' | 'FLOAT'; min: number; max: number } | readonly (string | number)[];

export const int = (min: number, max: number): Input => ({ type: 'INT', min, max });
export const float = (min: number, max: number): Input => ({ type: 'FLOAT', min, max });

/** Returns a node that does no work: the fake checks only its inputs. */
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

/** Selects the engines that support the parameters of a call. */
import type { Binding } from '../engines/catalogue.ts';
import type { Call } from '../schemas/plan.ts';

/** Returns the bindings in order. If none supports the parameters, returns all, and the first engine reports the error. */
export function ableBindings(bindings: readonly Binding[], params: Call['params']): readonly Binding[] {
  const able = bindings.filter(({ refuses }) => (refuses?.(params) ?? []).length === 0);
  return able.length > 0 ? able : bindings;
}

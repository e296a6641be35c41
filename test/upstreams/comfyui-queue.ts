/** ComfyUI's queue with its one worker, and its history. */
import type { Executed, Executor } from './comfyui-executor.ts';
import type { Workflow } from './comfyui-graph.ts';

/** ComfyUI's queue item: number, prompt id, workflow, extra data, outputs to execute. */
export type Item = [number, string, Workflow, { client_id?: string }, string[]];

/** How a job ends, if it ends. */
export type Fate = 'works' | 'endless' | 'lost' | 'fails' | 'runs out of memory' | 'shows nothing';

type Outcome = Executed | 'interrupted' | 'fails' | 'runs out of memory';

export interface Queue {
  put(item: Item): void;
  pending(): Item[];
  running(): Item[];
  history: Map<string, object>;
  remove(id: string): void;
  interrupt(): void;
  hold(): void;
  release(): void;
}

export function createQueue(executor: Executor, fateOf: () => Fate): Queue {
  const history = new Map<string, object>();
  let pending: Item[] = [];
  let running: { item: Item; stop: PromiseWithResolvers<'interrupted'> } | null = null;
  let gate = Promise.withResolvers<void>();
  gate.resolve();

  async function work(): Promise<void> {
    const item = running ? undefined : pending.shift();
    if (!item) return;
    const stop = Promise.withResolvers<'interrupted'>();
    running = { item, stop };
    const fate = fateOf();
    const outcome = await Promise.race([stop.promise, perform(item, fate)]);
    running = null;
    const [, id] = item;
    if (fate !== 'lost') history.set(id, entryOf(item, outcome));
    void work();
  }

  async function perform([, , workflow, extra, outputs]: Item, fate: Fate): Promise<Outcome> {
    await gate.promise;
    if (fate === 'endless') await new Promise(() => undefined);
    if (fate === 'fails' || fate === 'runs out of memory') return fate;
    if (fate !== 'works') return { outputs: {}, cached: [] };
    return executor.execute(workflow, outputs, extra).catch(() => 'fails' as const);
  }

  return {
    put(item) {
      pending.push(item);
      void work();
    },
    pending: () => pending,
    running: () => (running ? [running.item] : []),
    history,
    remove: (id) => void (pending = pending.filter((item) => item[1] !== id)),
    interrupt: () => running?.stop.resolve('interrupted'),
    hold: () => void (gate = Promise.withResolvers()),
    release: () => gate.resolve(),
  };
}

const errors = {
  fails: {
    exception_message: 'mat1 and mat2 shapes cannot be multiplied (77x2048 and 768x320)',
    exception_type: 'RuntimeError',
  },
  'runs out of memory': {
    exception_message: 'Allocation on device 0 would exceed allowed memory. This error means you ran out of memory.',
    exception_type: 'torch.OutOfMemoryError',
  },
};

function entryOf(item: Item, outcome: Outcome): object {
  const [, id, workflow] = item;
  const at = { prompt_id: id, timestamp: Date.now() };
  const node = { node_id: '3', node_type: 'KSampler', executed: [] };
  const messages: [string, object][] = [
    ['execution_start', at],
    ['execution_cached', { nodes: typeof outcome === 'object' ? outcome.cached : [], ...at }],
  ];
  if (outcome === 'fails' || outcome === 'runs out of memory') {
    const error = {
      ...node,
      ...errors[outcome],
      traceback: ['  File "/home/someone/ComfyUI/execution.py", line 518, in execute\n'],
      current_inputs: workflow,
      current_outputs: [],
    };
    messages.push(['execution_error', { ...at, ...error }]);
  } else if (outcome === 'interrupted') messages.push(['execution_interrupted', { ...at, ...node }]);
  else messages.push(['execution_success', at]);
  const isDone = typeof outcome === 'object';
  const status = { status_str: isDone ? 'success' : 'error', completed: isDone, messages };
  return { prompt: item, outputs: isDone ? outcome.outputs : {}, status, meta: {} };
}

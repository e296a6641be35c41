/** Renders the Helm chart as Kubernetes objects. */
import { parseAllDocuments } from 'yaml';
import { helm } from '../local/helm.ts';

/** The folder of the chart. */
export const chart = 'deploy/chart';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

/**
 * Renders the chart as the release `atelier`.
 * @param options options of `helm template`, such as `--values FILE` and `--set NAME=VALUE`
 * @throws Error with Helm's message
 */
export async function renderChart(kubernetes: string, ...options: string[]): Promise<KubernetesObject[]> {
  const text = await helm('template', 'atelier', chart, '--kube-version', kubernetes, ...options);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

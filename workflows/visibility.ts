/** The search attributes that a workflow sets, by which operators list artworks. */
import { patched, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { Ending } from '../schemas/workflow.ts';

export function setStatus(status: Ending['status'] | 'ABANDONED'): void {
  upsertSearchAttributes([{ key: { name: searchAttributes.status, type: 'KEYWORD' }, value: status }]);
}

/** Removes a workflow that only holds a claimed id from the list of artworks in progress. */
export function setStatusOfClaim(): void {
  if (patched('claims-shown')) setStatus('ABANDONED');
}

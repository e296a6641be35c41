/** Generates the table of the limits of organizations. */
import { limitNames, limitText, organizationLimits } from '../../schemas/limits.ts';

export function limitTable(): string {
  const rows = limitNames.map((name) => {
    const { default: value, unit, description } = organizationLimits[name];
    return `| \`${name}\` | ${value === null ? 'none' : limitText(unit, value)} | ${description} | ${unit === 'credits' ? 402 : 429} |`;
  });
  return ['| limit | default | counts | status |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Compares the advisories that npm reports with those that the project accepts for a time. */

/** The parts of the report of `npm audit --json` that the check reads. */
export interface AuditReport {
  vulnerabilities: Record<string, { nodes: string[]; via: (string | AuditAdvisory)[] }>;
}

interface AuditAdvisory {
  name: string;
  title: string;
  severity: string;
  /** Ends with the id of the advisory. */
  url: string;
  range: string;
}

/** An advisory that does not concern the service, or that has no fix yet. */
export interface AcceptedAdvisory {
  /** Such as GHSA-xxxx-xxxx-xxxx. */
  id: string;
  package: string;
  reason: string;
  /** The last day on which the advisory is accepted, as YYYY-MM-DD. */
  until: string;
}

/**
 * Returns every advisory that is not accepted, and every acceptance that is over or concerns no advisory.
 * @param today as YYYY-MM-DD
 */
export function openAdvisories(report: AuditReport, accepted: AcceptedAdvisory[], today: string): string[] {
  const reported = advisoriesIn(report);
  const isMeant = (one: AcceptedAdvisory, { id, name }: { id: string; name: string }) =>
    one.id === id && one.package === name;
  const failures = [...reported.values()].flatMap((advisory) => {
    const { id, name, range, severity, title, url } = advisory;
    const acceptance = accepted.find((one) => isMeant(one, advisory));
    if (acceptance === undefined) return [`${name} ${range}: ${title} (${severity}, ${id}). See ${url}.`];
    if (acceptance.until >= today) return [];
    return [`${id} in ${name} was accepted until ${acceptance.until}: ${acceptance.reason} Decide again.`];
  });
  const obsolete = accepted.filter((one) => ![...reported.values()].some((advisory) => isMeant(one, advisory)));
  return [
    ...failures,
    ...obsolete.map(({ id, package: name }) => `${id} in ${name} is no longer reported. Remove it.`),
  ];
}

function advisoriesIn({ vulnerabilities }: AuditReport): Map<string, AuditAdvisory & { id: string }> {
  const advisories = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    // A text names a package that depends on a vulnerable one.
    .filter((one) => typeof one !== 'string')
    .map((one) => ({ ...one, id: one.url.slice(one.url.lastIndexOf('/') + 1) }));
  return new Map(advisories.map((one) => [`${one.id} ${one.name}`, one]));
}

/** What operators can filter workflows by in the Temporal UI. All are of the type Keyword. */
export const searchAttributes = {
  organization: 'AtelierOrganization',
  operation: 'AtelierOperation',
  status: 'AtelierStatus',
  model: 'AtelierModel',
} as const;

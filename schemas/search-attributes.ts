/** The search attributes by which operators filter workflows in the Temporal UI. All have the type Keyword. */
export const searchAttributes = {
  organization: 'AtelierOrganization',
  operation: 'AtelierOperation',
  status: 'AtelierStatus',
  model: 'AtelierModel',
} as const;

/** The pages of the navigation, in its order. */
export const rooms = [
  { to: '/keys', name: 'API keys' },
  { to: '/connectors', name: 'Connectors' },
  { to: '/usage', name: 'Usage' },
  { to: '/billing', name: 'Billing' },
  { to: '/account', name: 'Account' },
] as const

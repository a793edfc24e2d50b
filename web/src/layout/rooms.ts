/** The pages of the navigation, in its order. */
export const rooms = [{ to: '/keys', name: 'API keys' }] as const

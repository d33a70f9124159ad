/** A button that destroys or ends something is outlined in red: the filled one is for a primary action, such as a payment (D54). */
export const destructive = { variant: 'default', c: 'var(--tone-red)', bd: '1px solid' } as const

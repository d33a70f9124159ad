/*
 * What a visitor tried to do, while they sign in (LOOP-04). It is a part of the address to return to: a kind and an id, so that it works
 * in another tab, from a link in an email, and after another service. It carries no text to show and never runs by itself: anyone who
 * crafts a link can at most make the screen ask the user a question.
 */

export type ActionKind =
  // of a profile; a report also of a post, by its creator
  | 'follow'
  | 'message'
  | 'tip'
  | 'report'
  // of a plan
  | 'subscribe'
  // of a post
  | 'buy'
  | 'tip-post'
  | 'like'
  | 'save'
  | 'vote'
export type PendingAction = { readonly kind: ActionKind; readonly id: string }

/** The query parameter of the screen to return to. */
export const actionParameter = 'continue'

export const formatAction = ({ kind, id }: PendingAction): string => `${kind}:${id}`

export type OneTimeTokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'reauthentication_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'phone_change_token'

/** One proof in two forms: `code` to type for the address, `link` to follow. */
export type OneTimeToken = { readonly code: string; readonly link: string }

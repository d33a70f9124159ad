import { paths } from '@ovation/contract/paths'
import type { Mail } from '../../mail/mail.ts'
import { renderEmail } from '../../mail/render-email.ts'
import type { AuthContext } from '../context.ts'
import type { OneTimeToken, OneTimeTokenType } from '../one-time-tokens/one-time-token.ts'
import { applyTemplate, type MailKind } from './operator-templates.ts'

const ignored = "If this wasn't you, you can ignore this email."

/** @param type a recovery token also leads to choosing a password (`entryToken`). */
export function confirmationMail(
  ctx: AuthContext,
  to: string,
  token: OneTimeToken,
  redirectTo: string,
  type: OneTimeTokenType = 'confirmation_token',
): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, type === 'recovery_token' ? 'recovery' : 'signup', redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `Confirm your email for ${productName}`,
    paragraphs: [`Welcome to ${productName}!`, 'Confirm your email to activate your account.'],
    action: { label: 'Confirm email', url: url },
    code: token.code,
    closing: `${validity(ctx)} ${ignored}`,
  })
  return inOwnWords(ctx, 'confirmation', { to, token, url }, email)
}

export function invitationMail(ctx: AuthContext, to: string, token: OneTimeToken, redirectTo: string): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, 'invite', redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `You're invited to ${productName}`,
    paragraphs: [`You've been invited to ${productName}. Follow the link to accept and choose a password.`],
    action: { label: 'Accept invitation', url: url },
    code: token.code,
    closing: `${validity(ctx)} If you don't want to join, you can ignore this email.`,
  })
  return inOwnWords(ctx, 'invite', { to, token, url }, email)
}

export function recoveryMail(ctx: AuthContext, to: string, token: OneTimeToken, redirectTo: string): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, 'recovery', redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `Reset your ${productName} password`,
    paragraphs: ['Someone asked to reset your password. Follow the link to choose a new one.'],
    action: { label: 'Reset password', url: url },
    code: token.code,
    closing: `${validity(ctx)} ${ignored} Your password won't change.`,
  })
  return inOwnWords(ctx, 'recovery', { to, token, url }, email)
}

/** The link signs in, and also confirms an unconfirmed account. */
export function signInMail(
  ctx: AuthContext,
  to: string,
  token: OneTimeToken,
  type: 'signup' | 'magiclink',
  redirectTo: string,
): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, type, redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `Your ${productName} sign-in link`,
    paragraphs: [`Follow the link to sign in to ${productName}.`],
    action: { label: 'Sign in', url: url },
    code: token.code,
    closing: `${validity(ctx)} ${ignored}`,
  })
  return inOwnWords(ctx, 'magic_link', { to, token, url }, email)
}

/** To an account's owner if someone signs up with their address again. */
export function existingAccountMail(ctx: AuthContext, to: string): Mail {
  const { productName } = ctx.config.operator
  return renderEmail({
    to,
    productName,
    subject: `Your ${productName} account`,
    paragraphs: [
      'Someone tried to sign up with this email. You already have an account, so nothing changed.',
      'Sign in with your password. If you forgot it, you can reset it there.',
    ],
    action: { label: 'Sign in', url: `${ctx.siteUrl()}${paths.auth}` },
    closing: ignored,
  })
}

export function newAddressMail(ctx: AuthContext, to: string, token: OneTimeToken, redirectTo: string): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, 'email_change', redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `Confirm your new email for ${productName}`,
    paragraphs: [
      'Confirm that you want to use this email for your account. We also sent an email to your old address to confirm.',
    ],
    action: { label: 'Confirm new email', url: url },
    code: token.code,
    closing: `${validity(ctx)} ${ignored}`,
  })
  return inOwnWords(ctx, 'email_change', { to, token, url, newEmail: to }, email)
}

export function currentAddressMail(
  ctx: AuthContext,
  to: string,
  newEmail: string,
  token: OneTimeToken,
  redirectTo: string,
): Mail {
  const { productName } = ctx.config.operator
  const url = emailUrl(ctx, token, 'email_change', redirectTo)
  const email = renderEmail({
    to,
    productName,
    subject: `Confirm your ${productName} email change`,
    paragraphs: [`You asked to change your account's email to ${newEmail}. Confirm it here and from the new address.`],
    action: { label: 'Confirm change', url: url },
    code: token.code,
    closing: `${validity(ctx)} If you didn't ask for this, don't confirm it, and change your password.`,
  })
  return inOwnWords(ctx, 'email_change', { to, token, url, newEmail }, email)
}

/** Notice of a sign-in from a new kind of device. It has no link: worried users shouldn't follow one from an email. */
export function loginAlertMail(
  ctx: AuthContext,
  to: string,
  { device, ip, at }: { readonly device: string; readonly ip: string | null; readonly at: Date },
): Mail {
  const { productName } = ctx.config.operator
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return renderEmail({
    to,
    productName,
    subject: `New sign-in to your ${productName} account`,
    paragraphs: [
      `Someone signed in to your account from ${device}${ip ? ` (IP address ${ip})` : ''} on ${time}.`,
      "If this was you, you don't need to do anything.",
    ],
    closing:
      "If it wasn't you, change your password. That signs out every other device. You can turn these emails off in Settings.",
  })
}

/** A code without a link: users type it into the screen that requested it. */
export function reauthenticationMail(ctx: AuthContext, to: string, token: OneTimeToken): Mail {
  const { productName } = ctx.config.operator
  const email = renderEmail({
    to,
    productName,
    subject: `${token.code} is your ${productName} code`,
    paragraphs: [`Enter this code to confirm the change to your account: ${token.code}`],
    closing: `${validity(ctx)} If you didn't ask for it, change your password.`,
  })
  return inOwnWords(ctx, 'reauthentication', { to, token, url: '' }, email)
}

type Sent = { readonly to: string; readonly token: OneTimeToken; readonly url: string; readonly newEmail?: string }

/** The operator's template, if there is one. */
function inOwnWords(ctx: AuthContext, kind: MailKind, { to, token, url, newEmail = '' }: Sent, email: Mail): Mail {
  const values = {
    ConfirmationURL: url,
    Token: token.code,
    TokenHash: token.link,
    SiteURL: ctx.siteUrl(),
    Email: to,
    NewEmail: newEmail,
  }
  return applyTemplate(ctx.config.auth.mailTemplates, kind, values, email)
}

/** GoTrue's link, which spends the token when followed. `generate_link` returns it. */
export function verifyUrl(ctx: AuthContext, token: OneTimeToken, type: string, redirectTo: string): string {
  return `${ctx.siteUrl()}/auth/v1/verify?${verifyQuery(token, type, redirectTo)}`
}

/**
 * The link in an email: a page of the app, whose button follows `verifyUrl`. Mail scanners open links in emails, and would
 * spend the token before its owner comes. Behind `#`, the token stays out of all logs on the way.
 */
function emailUrl(ctx: AuthContext, token: OneTimeToken, type: string, redirectTo: string): string {
  return `${ctx.siteUrl()}${paths.emailLink}#${verifyQuery(token, type, redirectTo)}`
}

function verifyQuery({ link }: OneTimeToken, type: string, redirectTo: string): URLSearchParams {
  return new URLSearchParams({ token: link, type, redirect_to: redirectTo })
}

function validity({ config }: AuthContext): string {
  const minutes = Math.max(1, Math.round(config.auth.otpExpSeconds / 60))
  const time = minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute')
  return `The link and code work once and expire in ${time}.`
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

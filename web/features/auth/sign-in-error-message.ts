import { accessTexts } from '@ovation/contract/texts/account-access'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'

/** The message for a failed sign-in. The server's is GoTrue's, which tells suspended users only that they are banned. */
export function signInErrorMessage(error: Error): string {
  const isBanned = 'code' in error && error.code === 'user_banned'
  return isBanned ? accessTexts.suspended(appConfig().operator.supportEmail) : errorMessageOf(error)
}

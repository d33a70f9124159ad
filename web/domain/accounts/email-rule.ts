import { authTexts } from '@ovation/contract/texts/auth'
import { looksLikeEmail } from '../../lib/forms/validators.ts'

const { errors } = authTexts

/** The validation rule for an email address. */
export const emailRule = (value: string) => {
  if (!value.trim()) return errors.emailMissing
  return looksLikeEmail(value) ? null : errors.emailWrong
}

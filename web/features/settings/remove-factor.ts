import { authClient } from '../../lib/auth/auth-client.ts'

/** Removes a second factor, and refreshes the token, which still claims that it was verified. */
export async function removeFactor(factorId: string): Promise<void> {
  const auth = await authClient()
  const { error } = await auth.mfa.unenroll({ factorId })
  if (error) throw error
  await auth.refreshSession()
}

export type Outcome = 'done' | 'refused'

/**
 * Which test file calls which public method of `@supabase/auth-js`, with success and with an error. A method of a new client version
 * without a test fails `client-methods.test.ts`; one that its file doesn't call fails that file.
 */
export const drivenIn: Readonly<Record<string, string>> = {
  signUp: 'sign-up',
  signInWithPassword: 'sign-in',
  signInAnonymously: 'anonymous',
  signInWithOAuth: 'providers',
  signInWithIdToken: 'providers',
  signInWithOtp: 'otp',
  signInWithSSO: 'saml',
  signInWithWeb3: 'wallet',
  signInWithPasskey: 'client-methods',
  registerPasskey: 'client-methods',
  exchangeCodeForSession: 'mail-flows',
  verifyOtp: 'mail-flows',
  resend: 'mail-flows',
  resetPasswordForEmail: 'mail-flows',
  reauthenticate: 'mail-flows',
  getSession: 'sessions',
  setSession: 'passkeys',
  refreshSession: 'sessions',
  signOut: 'sessions',
  getUser: 'user',
  updateUser: 'user',
  getClaims: 'signing-keys',
  getUserIdentities: 'providers',
  linkIdentity: 'providers',
  unlinkIdentity: 'providers',
  onAuthStateChange: 'client-methods',
  initialize: 'client-methods',
  startAutoRefresh: 'client-methods',
  stopAutoRefresh: 'client-methods',
  dispose: 'client-methods',
  isThrowOnErrorEnabled: 'client-methods',
  'mfa.enroll': 'factors',
  'mfa.challenge': 'factors',
  'mfa.verify': 'factors',
  'mfa.challengeAndVerify': 'factors',
  'mfa.unenroll': 'factors',
  'mfa.listFactors': 'factors',
  'mfa.getAuthenticatorAssuranceLevel': 'factors',
  'mfa.webauthn.enroll': 'client-methods',
  'mfa.webauthn.challenge': 'client-methods',
  'mfa.webauthn.verify': 'client-methods',
  'mfa.webauthn.authenticate': 'client-methods',
  'mfa.webauthn.register': 'client-methods',
  'mfa.recoveryCodes.generate': 'passkeys',
  'mfa.recoveryCodes.regenerate': 'passkeys',
  'mfa.recoveryCodes.getStatus': 'passkeys',
  'mfa.recoveryCodes.verify': 'passkeys',
  'mfa.recoveryCodes.unenroll': 'passkeys',
  'passkey.startRegistration': 'passkeys',
  'passkey.verifyRegistration': 'passkeys',
  'passkey.startAuthentication': 'passkeys',
  'passkey.verifyAuthentication': 'passkeys',
  'passkey.list': 'passkeys',
  'passkey.update': 'passkeys',
  'passkey.delete': 'passkeys',
  'oauth.getAuthorizationDetails': 'oauth-server/oauth-server',
  'oauth.approveAuthorization': 'oauth-server/oauth-server',
  'oauth.denyAuthorization': 'oauth-server/oauth-server',
  'oauth.listGrants': 'oauth-server/oauth-server',
  'oauth.revokeGrant': 'oauth-server/oauth-server',
  'admin.createUser': 'admin-users',
  'admin.getUserById': 'admin-users',
  'admin.listUsers': 'admin-users',
  'admin.updateUserById': 'admin-users',
  'admin.deleteUser': 'admin-users',
  'admin.generateLink': 'admin-users',
  'admin.inviteUserByEmail': 'admin-users',
  'admin.signOut': 'client-methods',
  'admin.mfa.listFactors': 'factors',
  'admin.mfa.deleteFactor': 'factors',
  'admin.passkey.listPasskeys': 'client-methods',
  'admin.passkey.deletePasskey': 'client-methods',
  'admin.oauth.listClients': 'oauth-server/oauth-server',
  'admin.oauth.createClient': 'oauth-server/oauth-server',
  'admin.oauth.getClient': 'oauth-server/oauth-server',
  'admin.oauth.updateClient': 'oauth-server/oauth-server',
  'admin.oauth.deleteClient': 'oauth-server/oauth-server',
  'admin.oauth.regenerateClientSecret': 'oauth-server/oauth-server',
  'admin.customProviders.listProviders': 'client-methods',
  'admin.customProviders.createProvider': 'client-methods',
  'admin.customProviders.getProvider': 'client-methods',
  'admin.customProviders.updateProvider': 'client-methods',
  'admin.customProviders.deleteProvider': 'client-methods',
}

/** Methods that can't fail: they stay in the client, or only redirect. */
const neverRefused: ReadonlySet<string> = new Set([
  'getSession',
  'initialize',
  'isThrowOnErrorEnabled',
  'onAuthStateChange',
  'signInWithOAuth',
  'startAutoRefresh',
  'stopAutoRefresh',
  'dispose',
])

/** Features that this installation lacks and always rejects. */
const neverDone = /^admin\.customProviders\./

/** The outcomes that a method must have in its tests. */
export function endsOf(method: string): Outcome[] {
  if (neverDone.test(method)) return ['refused']
  return neverRefused.has(method) ? ['done'] : ['done', 'refused']
}

/** The methods assigned to a test file. */
export const methodsOf = (file: string): string[] => Object.keys(drivenIn).filter((method) => drivenIn[method] === file)

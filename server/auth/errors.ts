import { GatewayError } from '../http/errors.ts'

/** The errors of auth/v1, with the codes that auth-js knows (`lib/error-codes.ts`). Contract: supabase/auth `internal/api/apierrors`. */
export const authErrors = {
  badJson: (reason: string) => new GatewayError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`),
  validationFailed: (reason: string) => new GatewayError(400, 'validation_failed', reason),
  unprocessable: (reason: string) => new GatewayError(422, 'validation_failed', reason),
  invalidEmail: () => new GatewayError(400, 'validation_failed', 'Unable to validate email address: invalid format'),

  invalidPhone: () => new GatewayError(400, 'validation_failed', 'Invalid phone number format (E.164 required)'),

  noAuthorization: () => new GatewayError(401, 'no_authorization', 'This endpoint requires a Bearer token'),
  missingSubject: () => new GatewayError(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  userOfTokenNotFound: () => new GatewayError(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  sessionNotFound: () =>
    new GatewayError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  notAdmin: () => new GatewayError(403, 'not_admin', 'User not allowed'),
  userNotFound: () => new GatewayError(404, 'user_not_found', 'User not found'),

  signupDisabled: () => new GatewayError(422, 'signup_disabled', 'Signups not allowed for this instance'),
  userAlreadyExists: () => new GatewayError(422, 'user_already_exists', 'User already registered'),
  emailExists: () =>
    new GatewayError(422, 'email_exists', 'A user with this email address has already been registered'),
  phoneExists: () => new GatewayError(422, 'phone_exists', 'A user with this phone number has already been registered'),
  usernameTaken: (message: string) => new GatewayError(422, 'username_taken', message),
  /** The reason is rendered as `weak_password.reasons`, which auth-js reads. */
  weakPassword: (message: string, reason: 'length' | 'pwned') =>
    new GatewayError(422, 'weak_password', message, { details: reason }),
  captchaFailed: (reason: string) =>
    new GatewayError(400, 'captcha_failed', `captcha protection: request disallowed (${reason})`),
  samePassword: () => new GatewayError(422, 'same_password', 'New password should be different from the old password.'),

  invalidCredentials: () => new GatewayError(400, 'invalid_credentials', 'Invalid login credentials'),
  emailNotConfirmed: () => new GatewayError(400, 'email_not_confirmed', 'Email not confirmed'),
  phoneNotConfirmed: () => new GatewayError(400, 'phone_not_confirmed', 'Phone not confirmed'),
  userBanned: () => new GatewayError(400, 'user_banned', 'User is banned'),
  unsupportedGrantType: () => new GatewayError(400, 'invalid_credentials', 'unsupported_grant_type'),

  refreshTokenNotFound: () =>
    new GatewayError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  refreshTokenAlreadyUsed: () =>
    new GatewayError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  sessionExpired: () => new GatewayError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),

  flowStateNotFound: () =>
    new GatewayError(422, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  flowStateExpired: () => new GatewayError(403, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  badCodeVerifier: () =>
    new GatewayError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  otpExpired: () => new GatewayError(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: () => new GatewayError(403, 'otp_expired', 'Token has expired or is invalid'),

  overRequestRate: (seconds: number) =>
    new GatewayError(429, 'over_request_rate_limit', 'Request rate limit reached', retryAfter(seconds)),
  overEmailRate: (seconds: number) =>
    new GatewayError(
      429,
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${seconds} seconds.`,
      retryAfter(seconds),
    ),
  overSmsRate: (seconds: number) =>
    new GatewayError(
      429,
      'over_sms_send_rate_limit',
      `For security purposes, you can only request this after ${seconds} seconds.`,
      retryAfter(seconds),
    ),
  smsNotSent: (cause: unknown) =>
    new GatewayError(422, 'sms_send_failed', "We couldn't send the text message. Try again in a moment.", { cause }),
  mailNotSent: (cause: unknown) =>
    new GatewayError(500, 'unexpected_failure', "We couldn't send the email. Try again in a moment.", { cause }),

  anonymousDisabled: () => new GatewayError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  phoneDisabled: () => new GatewayError(400, 'phone_provider_disabled', 'Sign-in by phone is not enabled'),
  providerDisabled: (what: string) => new GatewayError(400, 'provider_disabled', `${what} is not enabled`),
  web3Disabled: () => new GatewayError(422, 'web3_provider_disabled', 'Web3 provider is disabled'),
  web3UnknownChain: () => new GatewayError(400, 'web3_unsupported_chain', 'Unsupported chain'),
  providerUnreachable: (cause: unknown) =>
    new GatewayError(502, 'unexpected_failure', "The sign-in service isn't responding. Try again in a moment.", {
      cause,
    }),
  refusedByProvider: (reason: string) => new GatewayError(400, 'bad_oauth_callback', reason.slice(0, 300)),
  badOauthCallback: () =>
    new GatewayError(400, 'bad_oauth_callback', "We couldn't verify the response from the sign-in service"),
  badOauthState: () =>
    new GatewayError(
      400,
      'bad_oauth_state',
      'The sign-in link is missing its state, was already used, has expired, or belongs to another browser',
    ),
  badIdToken: () => new GatewayError(400, 'invalid_credentials', 'Bad ID token'),
  unexpectedAudience: () => new GatewayError(400, 'unexpected_audience', 'Unacceptable audience in id_token'),
  emailNotVerifiedBy: (provider: string) =>
    new GatewayError(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${provider}. Verify it there, then sign in again.`,
    ),
  linkingDisabled: () => new GatewayError(404, 'manual_linking_disabled', 'Manual linking is disabled'),
  identityExists: (isOwn: boolean) =>
    new GatewayError(
      422,
      'identity_already_exists',
      isOwn ? 'Identity is already linked' : 'Identity is already linked to another user',
    ),
  badWalletMessage: (reason: string) => new GatewayError(400, 'validation_failed', `Signed message: ${reason}`),
  badWalletSignature: () => new GatewayError(400, 'invalid_credentials', "The signature doesn't match the address"),
  ssoProviderNotFound: (message: string) => new GatewayError(404, 'sso_provider_not_found', message),
  ssoDomainExists: () =>
    new GatewayError(422, 'sso_domain_already_exists', 'A domain of this list is assigned to another SSO provider'),
  samlIdpExists: () =>
    new GatewayError(422, 'saml_idp_already_exists', 'SAML Identity Provider with this EntityID already exists'),
  samlIdpNotFound: () =>
    new GatewayError(
      404,
      'saml_idp_not_found',
      'A SAML connection has not been established with this Identity Provider',
    ),
  samlEntityIdMismatch: () =>
    new GatewayError(
      422,
      'saml_entity_id_mismatch',
      'SAML Metadata can be updated only if the EntityID matches. Create another provider instead.',
    ),
  samlMetadataFetchFailed: (cause: unknown) =>
    new GatewayError(400, 'saml_metadata_fetch_failed', 'The SAML metadata could not be fetched from metadata_url', {
      cause,
    }),
  samlRelayStateNotFound: () =>
    new GatewayError(404, 'saml_relay_state_not_found', 'SAML RelayState does not exist, try logging in again'),
  samlRelayStateExpired: () =>
    new GatewayError(422, 'saml_relay_state_expired', 'SAML RelayState has expired. Try logging in again'),
  badSamlAssertion: () => new GatewayError(400, 'validation_failed', 'SAML Assertion is not valid'),
  samlNoUserId: () =>
    new GatewayError(
      400,
      'saml_assertion_no_user_id',
      'SAML Assertion did not contain a persistent Subject Identifier',
    ),
  samlNoEmail: () =>
    new GatewayError(400, 'saml_assertion_no_email', 'SAML Assertion does not contain an email address'),
  userSsoManaged: () =>
    new GatewayError(422, 'user_sso_managed', 'Updating email, phone, password of a SSO account only possible via SSO'),
  samlDisabled: () => new GatewayError(422, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  identityNotFound: () => new GatewayError(422, 'identity_not_found', 'Identity does not exist'),
  singleIdentity: () =>
    new GatewayError(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking'),
  totpDisabled: () => new GatewayError(422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP'),
  phoneFactorDisabled: () => new GatewayError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'),
  webauthnDisabled: () =>
    new GatewayError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn'),
  totpVerifyDisabled: () =>
    new GatewayError(422, 'mfa_totp_verify_not_enabled', 'MFA verification is disabled for TOTP'),
  phoneVerifyDisabled: () =>
    new GatewayError(422, 'mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone'),
  webauthnVerifyDisabled: () =>
    new GatewayError(422, 'mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn'),
  tooManyFactors: () =>
    new GatewayError(422, 'too_many_enrolled_mfa_factors', 'Maximum number of factors reached, unenroll to continue'),
  factorNameTaken: () =>
    new GatewayError(422, 'mfa_factor_name_conflict', 'A factor with this friendly name or number already exists'),
  factorNotVerified: (type: string) =>
    new GatewayError(422, 'mfa_verification_failed', notVerified[type] ?? 'The second factor was not verified'),
  factorChallengeExpired: () =>
    new GatewayError(422, 'mfa_challenge_expired', 'MFA challenge has expired or was already used, request a new one'),
  factorAddressMismatch: () =>
    new GatewayError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch'),
  webauthnChallengeExpired: () =>
    new GatewayError(
      422,
      'webauthn_challenge_expired',
      'The challenge has expired or was already used, request a new one',
    ),
  webauthnChallengeNotFound: () =>
    new GatewayError(400, 'webauthn_challenge_not_found', 'Challenge not found: it was used, or never existed'),
  webauthnNotVerified: () => new GatewayError(400, 'webauthn_verification_failed', 'Passkey verification failed'),
  passkeyNotFound: () => new GatewayError(404, 'validation_failed', 'Passkey not found'),
  aal2ToEnroll: () => new GatewayError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor'),
  aal2ToUnenroll: () => new GatewayError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor'),
  aal2ToChange: () =>
    new GatewayError(401, 'insufficient_aal', 'AAL2 session is required to update email, phone or password'),
  aal2ToChangeMetadata: () =>
    new GatewayError(401, 'insufficient_aal', 'AAL2 session is required to update user metadata'),
  aal2ToSignOutOthers: () =>
    new GatewayError(403, 'insufficient_aal', 'AAL2 session is required to sign other sessions out'),
  recoveryCodesAlone: () =>
    new GatewayError(422, 'mfa_recovery_codes_sole_factor', 'Recovery codes need another verified factor'),
  factorExists: () =>
    new GatewayError(422, 'mfa_verified_factor_exists', 'Recovery codes already exist, regenerate them instead'),
  factorNotFound: () => new GatewayError(422, 'mfa_factor_not_found', 'MFA factor with that ID not found'),
  nonceNotValid: () => new GatewayError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  reauthenticationNeeded: () =>
    new GatewayError(400, 'reauthentication_needed', 'Password update requires reauthentication'),
  oauthClientNotFound: () => new GatewayError(404, 'oauth_client_not_found', 'OAuth client not found'),
  oauthClientUnknown: () => new GatewayError(400, 'oauth_client_not_found', 'Invalid client_id'),
  oauthRegistrationDisabled: () =>
    new GatewayError(403, 'oauth_dynamic_client_registration_disabled', 'Dynamic client registration is not enabled'),
  oauthAuthorizationNotFound: () =>
    new GatewayError(404, 'oauth_authorization_not_found', 'The authorization request was not found or has expired'),
  oauthConsentNotFound: () =>
    new GatewayError(404, 'oauth_consent_not_found', 'This app has no access to your account'),
  aal2ToConnectApps: () =>
    new GatewayError(403, 'insufficient_aal', 'AAL2 session is required to manage connected apps'),
  notForApps: () => new GatewayError(403, 'insufficient_scope', "Connected apps can't do this"),
  /** RFC 6749 section 5.2: rendered in its shape at /oauth/token. */
  oauthInvalidRequest: (reason: string) => new GatewayError(400, 'invalid_request', reason),
  oauthInvalidClient: () =>
    new GatewayError(401, 'invalid_client', 'Client authentication failed', {
      headers: { 'WWW-Authenticate': 'Basic realm="oauth"' },
    }),
  oauthInvalidGrant: (reason: string) => new GatewayError(400, 'invalid_grant', reason),
  oauthInvalidScope: (reason: string) => new GatewayError(400, 'invalid_scope', reason),
  oauthInvalidTarget: (reason: string) => new GatewayError(400, 'invalid_target', reason),
  oauthUnauthorizedClient: () =>
    new GatewayError(400, 'unauthorized_client', 'This client may not use this grant type'),
  oauthUnsupportedGrantType: () =>
    new GatewayError(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token'),
  idTaken: () => new GatewayError(409, 'conflict', 'A user with this id already exists'),
  conflict: (status: number, message: string) => new GatewayError(status, 'conflict', message),
  timedOut: () => new GatewayError(504, 'request_timeout', 'Processing this request timed out'),
} as const

const notVerified: Readonly<Record<string, string>> = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Invalid WebAuthn response',
  recovery_code: 'Invalid recovery code entered',
}

function retryAfter(seconds: number) {
  return { headers: { 'Retry-After': String(seconds) } }
}

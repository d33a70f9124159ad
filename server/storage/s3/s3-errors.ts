import { GatewayError } from '../../http/errors.ts'

/** Errors of the S3 protocol with S3's messages (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). Listed in docs/errors.md. */
export const s3Errors = {
  accessDenied: (message = 'Access Denied') => new GatewayError(403, 'AccessDenied', message),
  unknownKey: () =>
    new GatewayError(403, 'InvalidAccessKeyId', 'The access key ID you provided does not exist in our records'),
  wrongSignature: () =>
    new GatewayError(403, 'SignatureDoesNotMatch', 'The signature we calculated does not match the one you provided'),
  invalidToken: () =>
    new GatewayError(400, 'InvalidToken', 'The session token is malformed, expired or not of this installation'),
  malformedAuthorization: (message = 'The authorization that you provided is malformed') =>
    new GatewayError(400, 'AuthorizationHeaderMalformed', message),
  missingHeader: (name: string) =>
    new GatewayError(400, 'MissingSecurityHeader', `Your request is missing a required header: ${name}`),
  timeSkewed: () =>
    new GatewayError(403, 'RequestTimeTooSkewed', 'The difference between the request time and our time is too large'),
  wrongPayloadHash: () =>
    new GatewayError(
      400,
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 does not match what was computed',
    ),
  badDigest: (name: string) =>
    new GatewayError(400, 'BadDigest', `The ${name} you specified did not match what we received`),
  malformedChunk: () => new GatewayError(400, 'IncompleteBody', 'The body is not what its chunks say'),
  malformedXml: () =>
    new GatewayError(400, 'MalformedXML', 'The XML you provided was not well-formed or not of the published schema'),
  invalidPolicy: (what: string) =>
    new GatewayError(400, 'InvalidPolicyDocument', `The policy of the form is invalid: ${what}.`),
  tooSmall: () =>
    new GatewayError(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size'),
  fieldsTooLarge: () =>
    new GatewayError(400, 'MaxPostPreDataLengthExceeded', 'The fields before the file must not exceed 20 KB.'),
  invalidArgument: (message: string) => new GatewayError(400, 'InvalidArgument', message),
  invalidPart: () =>
    new GatewayError(
      400,
      'InvalidPart',
      'One or more of the specified parts could not be found or has another entity tag',
    ),
  invalidPartOrder: () => new GatewayError(400, 'InvalidPartOrder', 'The list of parts was not in ascending order'),
  preconditionFailed: () =>
    new GatewayError(412, 'PreconditionFailed', 'At least one of the preconditions did not hold'),
  notImplemented: (what: string) =>
    new GatewayError(501, 'NotImplemented', `What you asked for is not implemented here: ${what.slice(0, 100)}`),
} as const

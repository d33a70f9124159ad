import { voiceMaxSeconds } from '@ovation/contract/limits'
import { GatewayError } from '../http/errors.ts'

/** Errors of storage/v1 with storage-api's codes (supabase/storage `src/internal/errors/codes.ts`). Listed in docs/errors.md. */
/** `"512 MB"`, `"50 GB"` */
const formatQuota = (bytes: number): string =>
  bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${Number((bytes / 1024 ** 3).toFixed(1))} GB`

export const storageErrors = {
  noSuchBucket: () => new GatewayError(404, 'NoSuchBucket', 'Bucket not found'),
  /** Missing and hidden objects get the same answer on purpose: a request can't reveal that a file exists. */
  noSuchKey: () => new GatewayError(404, 'NoSuchKey', 'Object not found'),
  accessDenied: (message = 'Access denied') => new GatewayError(403, 'AccessDenied', message),
  bucketExists: () => new GatewayError(409, 'BucketAlreadyExists', 'The resource already exists'),
  keyExists: () => new GatewayError(409, 'KeyAlreadyExists', 'The resource already exists'),
  bucketNotEmpty: () => new GatewayError(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty'),
  invalidBucketName: () => new GatewayError(400, 'InvalidBucketName', 'Bucket name invalid'),
  invalidKey: (key: string) => new GatewayError(400, 'InvalidKey', `Invalid key: ${key.slice(0, 200)}`),
  invalidRequest: (message: string) => new GatewayError(400, 'InvalidRequest', message),
  invalidMimeType: (type: string) =>
    new GatewayError(415, 'InvalidMimeType', `mime type ${type.slice(0, 100)} is not supported`),
  contentMismatch: (declared: string) =>
    new GatewayError(415, 'InvalidMimeType', `The file's content doesn't match its type ${declared.slice(0, 100)}`),
  tooLarge: () => new GatewayError(413, 'EntityTooLarge', 'The object exceeded the maximum allowed size'),
  /** With the message of TUS. */
  uploadTooLarge: () => new GatewayError(413, 'EntityTooLarge', 'Maximum size exceeded'),
  quotaExceeded: (quotaBytes: number) =>
    new GatewayError(
      413,
      'QuotaExceeded',
      `Your files can take up to ${formatQuota(quotaBytes)}. Delete some and try again.`,
    ),
  tooManyUploads: (most: number) =>
    new GatewayError(
      429,
      'TooManyUploads',
      `You have ${most} unfinished uploads. Finish or cancel one and try again.`,
      {
        headers: { 'Retry-After': '60' },
      },
    ),
  tooManyVideos: (most: number) =>
    new GatewayError(429, 'TooManyVideos', `We're still processing ${most} of your videos. Try again later.`, {
      headers: { 'Retry-After': '60' },
    }),
  tooSlow: () =>
    new GatewayError(408, 'RequestTimeout', 'The upload was too slow. Check your connection and try again.'),
  tooManyPixels: () => new GatewayError(413, 'EntityTooLarge', 'The image has too many pixels'),
  brokenPicture: (cause?: unknown) =>
    new GatewayError(415, 'InvalidMimeType', "The image is damaged or isn't supported", { cause }),
  slowPicture: () =>
    new GatewayError(
      413,
      'EntityTooLarge',
      'The image takes too long to process. Make it smaller or use another format, then try again.',
    ),
  unrenderable: (cause: unknown) =>
    new GatewayError(400, 'InvalidRequest', 'The source image is invalid or unsupported for rendering', { cause }),
  noPicture: () => new GatewayError(422, 'InvalidRequest', "The object isn't an image that can be rendered"),
  noStream: () => new GatewayError(404, 'NoSuchKey', "This video can't be streamed yet"),
  noCaptions: () => new GatewayError(404, 'NoSuchKey', 'This video has no captions in this language'),
  busy: () =>
    new GatewayError(503, 'SlowDown', "We're processing too many images. Try again in a moment.", {
      headers: { 'Retry-After': '2' },
    }),
  /** One account or address has too many tasks; others are still served. */
  tooManyPictures: () =>
    new GatewayError(429, 'SlowDown', "We're processing too many of your images. Try again in a moment.", {
      headers: { 'Retry-After': '2' },
    }),
  brokenVoice: (cause?: unknown) =>
    new GatewayError(415, 'InvalidMimeType', 'The recording has no sound that we can read', { cause }),
  longVoice: () =>
    new GatewayError(413, 'EntityTooLarge', `A voice message can be up to ${voiceMaxSeconds / 60} minutes long`),
  noVoices: () =>
    new GatewayError(409, 'FeatureNotEnabled', "This site can't process voice messages: FFmpeg isn't installed"),
  slowVoice: () =>
    new GatewayError(503, 'SlowDown', 'Processing the voice message took too long. Try again in a moment.', {
      headers: { 'Retry-After': '10' },
    }),
  busyWithVoices: () =>
    new GatewayError(503, 'SlowDown', "We're processing too many voice messages. Try again in a moment.", {
      headers: { 'Retry-After': '10' },
    }),
  /** One account has too many; others are still served. */
  tooManyVoices: () =>
    new GatewayError(429, 'SlowDown', "We're processing too many of your voice messages. Try again in a moment.", {
      headers: { 'Retry-After': '10' },
    }),
  noContent: () => new GatewayError(400, 'InvalidRequest', 'No content provided'),
  cutOff: () => new GatewayError(400, 'InvalidRequest', 'The upload ended before the file was complete'),
  noSuchUpload: () => new GatewayError(404, 'NoSuchUpload', 'Upload not found'),
  unsupportedTusVersion: (version: string) =>
    new GatewayError(412, 'InvalidRequest', `Tus-Resumable must be ${version}`, {
      headers: { 'Tus-Version': version },
    }),
  wrongOffset: () => new GatewayError(409, 'InvalidUploadOffset', 'Upload-Offset conflict'),
  wrongChecksum: () => new GatewayError(460, 'InvalidChecksum', "The content doesn't match the checksum"),
  noSuchS3Key: () => new GatewayError(404, 'NoSuchKey', 'S3 key not found'),
  wrongPieceType: () => new GatewayError(415, 'InvalidRequest', 'Content-Type must be application/offset+octet-stream'),
  featureNotEnabled: (feature: string) =>
    new GatewayError(409, 'FeatureNotEnabled', `The feature ${feature} is not enabled for this resource`),
  invalidRange: (sizeBytes: number) =>
    new GatewayError(416, 'InvalidRange', 'The requested range is outside the object', {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    }),
  invalidLink: (message: string) => new GatewayError(400, 'InvalidJWT', message),
  usedLink: () => new GatewayError(400, 'InvalidJWT', 'This upload link was already used. Request a new one.'),
  wrongLink: () => new GatewayError(400, 'InvalidSignature', 'The url do not match the signature'),
  storageFull: (cause: unknown) => new GatewayError(507, 'InsufficientStorage', 'Storage quota exceeded', { cause }),
  storeAway: (cause?: unknown) =>
    new GatewayError(503, 'StorageUnavailable', "The file storage can't be reached. Try again in a moment.", {
      headers: { 'Retry-After': '5' },
      cause,
    }),
  lostContent: (cause: unknown) =>
    new GatewayError(500, 'InternalError', "This object's content can't be read", { cause }),
  timeout: () => new GatewayError(544, 'DatabaseTimeout', 'The connection to the database timed out'),
} as const

/**
 * Limits that the server enforces and the screens show. Names end in units. Numbers that only one side needs don't belong here.
 */

/** Feed and list pages (HOME-05). */
export const feedPageSize = 20
/** Most users one search returns (SRCH-03). */
export const searchLimit = 20
/** Characters of a locked post that everyone can read (POST-11). */
export const lockedPreviewLength = 100
/** A badge counts up to this, and shows "99+" above it (GEN-23). */
export const badgeCap = 99

/** Shortest password (AUTH-12, SET-09). */
export const passwordMinLength = 8
/** Longest password: enough for any user, and short enough that hashing it can't be used for an attack. */
export const passwordMaxLength = 128

/** Lengths of profile texts (GEN-10). */
export const usernameMinLength = 3
export const usernameMaxLength = 30
export const displayNameMaxLength = 50
export const bioMaxLength = 1_000
export const websiteMaxLength = 200
/** The number of categories that a creator can pick (D36). */
export const maxCategories = 3

export const postTitleMaxLength = 150
export const postContentMaxLength = 10_000
/** Files of one post. */
export const postFilesMax = 20
/** Files on a page of the vault. */
export const vaultPageSize = 60
/** Files that can be chosen for the vault at once (VAULT-03). */
export const vaultUploadsMax = 500
/** Conversations that a user can pin (INBOX-01). */
export const pinnedConversationsMax = 20
/** The most files that one request about a vault names. */
export const vaultSelectionMax = 500
export const vaultAlbumNameMaxLength = 60
export const vaultFileNameMaxLength = 255
export const altTextMaxLength = 1_000
export const vaultCaptionMaxLength = 2_000
/** An away message (PAGE-03). */
export const awayMessageMaxLength = 500
/** What a creator notes of a fan (LIST-03). */
export const fanNameMaxLength = 50
export const fanTagsMax = 20
export const fanTagMaxLength = 30
export const fanNoteMaxLength = 2_000
export const commentMaxLength = 1_000
/** Words that hold a comment back (TALK-03), and the length of each. */
export const blockedWordsMax = 200
export const blockedWordMaxLength = 60

/** Largest video and largest other file of a post, in bytes (POST-25). */
export const videoMaxBytes = 1024 ** 3
export const fileMaxBytes = 500 * 1024 ** 2
/** Largest avatar, banner or identity document, in bytes. */
export const imageMaxBytes = 10 * 1024 ** 2
/** Longest voice message (INBOX-05), and its largest recording: five minutes in the best quality that browsers record. */
export const voiceMaxSeconds = 300
export const voiceMaxBytes = 20 * 1024 ** 2
/** Larger files are uploaded one at a time, with a pause between them (POST-37). */
export const sequentialUploadBytes = 100 * 1024 ** 2
export const sequentialUploadPauseMs = 500
/** Larger files are uploaded in resumable chunks of this size (POST-38). */
export const resumableUploadBytes = 6 * 1024 ** 2
export const resumableChunkBytes = 6 * 1024 ** 2
/** The pause after a video's upload (POST-40). */
export const videoSettleMs = 1_000
/** Progress stops here until the server has confirmed the file (POST-35). */
export const uploadHeldPercent = 90
/** The upload speed that estimates assume, in megabits per second (POST-39). */
export const assumedUplinkMbps = 25
/** Cache-control of an uploaded object, in seconds (API-STO-01, API-STO-19). */
export const objectCacheSeconds = 3_600
/** Lifetime of a signed link to post media, in seconds (POST-47). Long enough to watch a video that is started late. */
export const mediaLinkSeconds = 3_600

/** Cheapest subscription product (PROD-05) and cheapest pay-per-view post (D26), in cents. */
export const productMinPriceCents = 100
export const ppvMinPriceCents = 100
/** The highest price, in cents. */
export const priceMaxCents = 999_999
export const productNameMaxLength = 100
export const planBenefitsMax = 10
export const planBenefitMaxLength = 100
export const productDescriptionMaxLength = 500
export const trialMaxDays = 90

/** Goals (OFFER-07). The targets are cents and numbers of subscribers. */
export const goalTitleMaxLength = 100
export const goalTextMaxLength = 1_000
export const goalMinCents = 100
export const goalMaxCents = 100_000_000
export const goalMaxSubscribers = 1_000_000
export const openGoalsMax = 3
/** The longest time until the end, and the longest with a promise of refunds. */
export const goalMaxDays = 365
export const goalRefundMaxDays = 90
/** How long a result stays on the profile. */
export const goalResultDays = 14

/** Products (OFFER-05): files that creators sell. The prices are those of pay-per-view posts. */
export const productTitleMaxLength = 100
export const productTextMaxLength = 5_000
export const productFilesMax = 20
export const productFileMaxBytes = 5 * 1024 ** 3
export const productFileNameMaxLength = 200
export const productDiscountMaxPercent = 90
export const productStockMax = 1_000_000
export const productVersionNoteMaxLength = 1_000
/** Lifetime of a signed link to a product's file, in seconds: long enough to resume a large download. */
export const productLinkSeconds = 6 * 3_600

/** Identity application (VER). */
export const fullNameMaxLength = 120
export const addressMaxLength = 300
export const ssnDigits = 9
export const rejectionReasonMaxLength = 500

/** Messages (MSG): the longest text, and the cheapest paid message, in cents (D27). The highest price is priceMaxCents. */
export const messageMaxLength = 5_000
export const paidMessageMinPriceCents = 100
/** Files of one message. */
export const messageFilesMax = 10
/** The longest time in hours within which fans get only one mass message (MASS-02). */
export const massMessageHoursMax = 720
/** Most conditions of a mass message's recipients, and of those it leaves out. */
export const massMessageConditionsMax = 20

/** Broadcasts and polls (ADM-32..ADM-34). */
export const broadcastTitleMaxLength = 100
export const broadcastMessageMaxLength = 500
export const pollTitleMaxLength = 200
export const pollDescriptionMaxLength = 300
export const pollOptionMaxLength = 100
export const pollOptionsMin = 2
export const pollOptionsMax = 10
export const pollDurationsDays = [1, 3, 7, 14, 30] as const
export const pollDefaultDays = 7

/** The operator's front page (FIND-06). */
export const frontHeadlineMaxLength = 80
export const frontMessageMaxLength = 400
export const frontPictureAltMaxLength = 200
export const featuredCreatorsMax = 12

/** Support requests (SUPP-04, SUPP-08, SUPP-09, D43). */
export const supportNameMaxLength = 100
export const supportEmailMaxLength = 254
export const supportSubjectMaxLength = 200
export const supportMessageMaxLength = 5_000
export const supportCategories = ['Account', 'Billing', 'Technical', 'Safety', 'Creator', 'Other'] as const
export type SupportCategory = (typeof supportCategories)[number]
export const supportPriorities = ['low', 'normal', 'high', 'urgent'] as const
export type SupportPriority = (typeof supportPriorities)[number]

/** Reports (D43) and admins' notes on posts (D28). */
export const reportReasons = [
  'spam',
  'harassment',
  'hate',
  'nudity',
  'violence',
  'underage',
  'copyright',
  'scam',
  'impersonation',
  'other',
] as const
export const reportDetailsMaxLength = 1_000
export const adminNoteMaxLength = 500

/** Plan intervals, as stored (PROD-07). */
export const intervals = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** Categories of creators (EXPL-05). */
export const categories = [
  'Fitness',
  'Lifestyle',
  'Photography',
  'Fashion',
  'Cooking',
  'Art',
  'Travel',
  'Wellness',
] as const
export type Category = (typeof categories)[number]

/** Tip limits and suggestions, in cents (D28). */
export const tipMinCents = 100
export const tipMaxCents = 50_000
export const tipPresetsCents = [500, 1_000, 2_500, 5_000] as const
/** What a fan can write to the creator with a tip. It travels in the payment's metadata, where Stripe takes 500 characters. */
export const tipNoteMaxLength = 200

/** How many months of a plan can be given (OFFER-02). */
export const giftMonths = [1, 3, 6, 12] as const
/** What the giver writes. */
export const giftMessageMaxLength = 500
/** Free codes that a creator can make at a time (OFFER-03). */
export const giftCodesMax = 500

/** A creator's promotion codes. */
export const promotionCodeForm = /^[A-Z0-9][A-Z0-9_-]{2,29}$/
export const promotionCodeMaxLength = 30
export const promotionMaxRedemptions = 1_000_000

/** A creator's offers (OFFER-04): billing periods that cost less, and users who can have one. */
export const offerMaxPeriods = 12
export const offerMaxUsers = 100_000

/** Private sessions (PRIV-08). */
export const sessionTitleMaxLength = 100
export const sessionDescriptionMaxLength = 1_000
export const sessionMinMinutes = 10
export const sessionMaxMinutes = 480
export const sessionMinPriceCents = 100
/** What creators can set for all their sessions (LOOP-25). */
export const sessionBufferMaxMinutes = 240
export const sessionNoticeMaxHours = 336
export const sessionHorizonMaxDays = 120
/** How long a slot is reserved for a fan who is paying. */
export const sessionHoldMinutes = 30
/** How long before the start a fan can still cancel with a refund (D41). */
export const sessionCancelHours = 24
/** Minutes before the start and after the end in which the two participants can join the call. */
export const callMarginMinutes = 15

/** Captions of one video: characters in a file, and number of languages. */
export const captionsMaxLength = 500_000
export const captionsMaxLanguages = 20

export const flowsMax = 50
export const flowNameMaxLength = 50
export const flowStepsMax = 30
/** Of a wait in a flow: a year. */
export const flowMinutesMax = 525_600
export const flowDaysMax = 365
/** A creator's links that aren't archived (LINK-01), and the free trials that they can give (LINK-03). */
export const linksMax = 200
export const linkNameMaxLength = 50
export const linkTrialDaysMax = 90
export const linkTrialLimitMax = 100_000
/** A creator's lists of fans (LIST-01), and the rules of smart ones (LIST-02). */
export const fanListsMax = 100
export const fanListNameMaxLength = 50
export const ruleConditionsMax = 20
export const ruleDepthMax = 3
export const ruleDaysMax = 3_650
/** How many fans the table loads at a time. */
export const fansPageSize = 50

/** The longest video of a story, in seconds (STORY-01). */
export const storySecondsMax = 60
export const storyCaptionMaxLength = 200
export const storyHighlightNameMaxLength = 30
export const storyHighlightMax = 50
/** How many stories a creator can have at a time. */
export const storiesMax = 50
/** How long a photo of a story shows. */
export const storyPhotoSeconds = 6

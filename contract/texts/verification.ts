/** Creator verification (VER). */
export const verificationTexts = {
  title: 'Creator verification',
  /** LOOP-08 */
  introduction: {
    title: 'Before you start',
    facts: [
      {
        title: 'What you need',
        message:
          'Your full name, your address, and a photo or scan of both sides of your ID. In the United States, also your Social Security number.',
      },
      {
        title: 'Why we ask',
        message:
          'To make sure that you are who you say you are, and an adult. Fans pay real people, and nobody else can earn in your name.',
      },
      {
        title: 'How long it takes',
        message:
          'Filling it in takes about five minutes. We answer within 24 hours. While you wait, you can build your page.',
      },
      {
        title: 'Who can read it',
        message: "Only this site's admins, who review your application. Fans never see any of it.",
      },
    ],
  },
  country: {
    label: 'Country',
    hint: 'Where you live. This determines what else we need.',
    choose: 'Choose your country',
  },
  fullName: { label: 'Full name', hint: 'As shown on your ID' },
  address: { label: 'Address', hint: 'Street, city, region, and postal code' },
  ssn: {
    label: 'Social Security number',
    hint: "Nine digits, stored encrypted. Only this site's admins can reveal it, and every access is logged. You won't be able to view it here later.",
    show: 'Show number',
    hide: 'Hide number',
  },
  idFront: 'ID front',
  idBack: 'ID back',
  documents: 'ID documents',
  documentsHint: 'A photo or scan of each side. JPEG, PNG, WebP, GIF, or AVIF, up to 10 MB.',
  chooseImage: 'Choose an image',
  dropHint: 'or drop it here',
  replace: (label: string) => `Replace ${label}`,
  preview: (label: string) => `Preview of ${label}`,
  uploading: (label: string) => `Uploading ${label}`,
  submit: 'Submit application',
  errors: {
    /** VER-06 */
    incomplete: 'Incomplete Information: Please fill in all fields and upload both ID documents.',
    country: 'Choose your country',
    fullName: 'Enter your full name',
    address: 'Enter your address',
    ssnMissing: 'Enter your Social Security number',
    ssnShort: 'Enter all nine digits',
    image: 'Add an image of this side',
    notAnImage: "We can't read this image. Choose a JPEG, PNG, WebP, GIF, or AVIF file.",
    imageTooLarge: 'Choose an image up to 10 MB',
    /** VER-15 */
    uploadFront: 'Failed to upload front ID document',
    uploadBack: 'Failed to upload back ID document',
    submit: 'Failed to submit application. Please try again.',
  },
  /** VER-14 */
  submitted: { title: 'Application Submitted', message: "We'll notify you within 24 hours." },
  loadFailed: "Couldn't load your application",
  status: {
    heading: 'Application status',
    submittedAt: 'Submitted',
    reviewedAt: 'Reviewed',
    reason: 'Reason',
    /** VER-12 */
    pending: {
      label: 'Pending',
      title: 'Your application is under review',
      message: "We'll notify you within 24 hours.",
    },
    /** LOOP-08 */
    waiting: {
      title: 'While you wait',
      message: "Nobody sees your plans or drafts until we approve you. Your plans open when you're approved.",
      page: 'Build your page',
      payouts: 'Set up payouts',
      plans: 'Prepare plans',
      draft: 'Write a draft',
    },
    /** VER-13 */
    rejected: {
      label: 'Rejected',
      title: "Your application wasn't approved",
      message: 'You can submit a new one.',
      again: 'Start new application',
    },
    approved: {
      label: 'Approved',
      title: "You're a verified creator",
      message: 'Set up payouts, create a plan, and publish your first post.',
      dashboard: 'Go to Dashboard',
      payments: 'Set up payouts',
    },
  },
} as const

/** Creator verification (VER). */
export const verificationTexts = {
  title: 'Creator Verification',
  introduction:
    'We check who our creators are before they can publish and be paid. Only the people who review applications see what you send here.',
  fullName: { label: 'Full name', hint: 'As it stands on your ID' },
  address: { label: 'Address', hint: 'Street, city, state and ZIP code' },
  ssn: {
    label: 'Social Security Number',
    hint: 'Nine digits. It is stored encrypted, and nobody can read it back here, not even you.',
    show: 'Show number',
    hide: 'Hide number',
  },
  idFront: 'ID front',
  idBack: 'ID back',
  documents: 'ID documents',
  documentsHint: 'A photo or scan of each side: JPEG, PNG, WebP, GIF or AVIF, up to 10 MB.',
  chooseImage: 'Choose an image',
  dropHint: 'or drop it here',
  replace: (label: string) => `Replace ${label}`,
  preview: (label: string) => `Preview of ${label}`,
  uploading: (label: string) => `Uploading ${label}`,
  submit: 'Submit Application',
  errors: {
    /** VER-06 */
    incomplete: 'Incomplete Information: Please fill in all fields and upload both ID documents.',
    fullName: 'Enter your full name',
    address: 'Enter your address',
    ssnMissing: 'Enter your Social Security Number',
    ssnShort: 'The number has nine digits',
    image: 'Choose an image of this side',
    notAnImage: 'This is not an image we can show. Choose a JPEG, PNG, WebP, GIF or AVIF file.',
    imageTooLarge: 'This image is larger than 10 MB',
    /** VER-15 */
    uploadFront: 'Failed to upload front ID document',
    uploadBack: 'Failed to upload back ID document',
    submit: 'Failed to submit application. Please try again.',
  },
  /** VER-14 */
  submitted: { title: 'Application Submitted', message: 'You will be notified within 24 hours.' },
  loadFailed: 'Your application could not be loaded',
  status: {
    heading: 'Application Status',
    submittedAt: 'Submitted',
    reviewedAt: 'Reviewed',
    reason: 'Reason',
    /** VER-12 */
    pending: {
      label: 'Pending',
      title: 'Your application is under review',
      message: 'You will be notified within 24 hours.',
    },
    /** VER-13 */
    rejected: {
      label: 'Rejected',
      title: 'Your application was not approved',
      message: 'You may submit a new one.',
      again: 'Start New Application',
    },
    approved: {
      label: 'Approved',
      title: 'You are a verified creator',
      message: 'Set up payments, define a plan and publish your first post.',
      dashboard: 'Go to Dashboard',
      payments: 'Set Up Payments',
    },
  },
} as const

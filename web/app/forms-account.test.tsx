import { HttpResponse, http } from 'msw'
import { TotpDialog } from '../domain/accounts/totp-dialog.tsx'
import ProfileEditor from '../features/profiles/profile-editor.tsx'
import { DangerZone } from '../features/settings/danger-zone.tsx'
import { EmailForm } from '../features/settings/email-form.tsx'
import { KeyLists } from '../features/settings/passkeys-and-factors.tsx'
import { PasswordForm } from '../features/settings/password-form.tsx'
import { PhoneFactorDialog } from '../features/settings/phone-factor-dialog.tsx'
import { ProfileForm } from '../features/settings/profile-form.tsx'
import { type Form, holdForms } from '../testing/forms.tsx'
import { network, signInWays } from '../testing/network.ts'
import { buildProfile } from '../testing/rows.ts'
import { sessionFor, viewerProfile } from '../testing/sign-in.ts'

const creatorId = viewerProfile.id
const { id, email, aud } = sessionFor().user
const user = { id, email, aud, app_metadata: {}, user_metadata: {}, created_at: '2024-05-04T10:00:00Z' }
const at = '2024-05-04T10:00:00Z'
const close = () => undefined

/** The forms of the account, profile, and settings. */
const forms: Form[] = [
  {
    name: 'the profile in settings [SET-07, SET-12]',
    part: <ProfileForm profileId={creatorId} />,
    reads: () =>
      network.use(
        http.get('*/rest/v1/profiles', () => HttpResponse.json({ username: 'ada', display_name: null, bio: null })),
      ),
    typed: { Username: 'ada', 'Display name': 'Ada', Bio: 'I write.' },
    wrong: { typed: { Username: 'a' }, first: 'Username', says: 'Use 3 to 30' },
    sends: ['patch', '/rest/v1/profiles'],
    submit: 'Save changes',
  },
  {
    name: 'the profile editor [PROF-08]',
    part: <ProfileEditor profile={buildProfile({ id: creatorId, website_url: null, bio: null })} onClose={close} />,
    typed: { 'Display name': 'Ada', Bio: 'I write.', Website: 'https://ada.example' },
    wrong: { typed: { Website: 'not an address' }, first: 'Website', says: 'https://' },
    sends: ['patch', '/rest/v1/profiles'],
    submit: 'Save',
  },
  {
    name: 'the email address',
    part: <EmailForm user={user} />,
    typed: { 'New email': 'ada@new.example' },
    wrong: { typed: { 'New email': 'ada@example.com' }, first: 'New email', says: "That's already your email" },
    sends: ['put', '/auth/v1/user'],
    submit: 'Change email',
  },
  {
    name: 'the password [SET-08, SET-10, SET-11]',
    part: <PasswordForm user={user} />,
    typed: {
      'Current password': 'the old one',
      'New password': 'a better one',
      'Confirm new password': 'a better one',
    },
    forgotten: ['Current password', 'New password', 'Confirm new password'],
    wrong: {
      typed: {
        'Current password': 'the old one',
        'New password': 'a better one',
        'Confirm new password': 'another',
      },
      first: 'Confirm new password',
      says: 'Passwords do not match',
    },
    sends: ['put', '/auth/v1/user'],
    submit: 'Change password',
  },
  {
    name: 'the name of a passkey',
    part: <KeyLists />,
    reads: () =>
      network.use(
        signInWays({ passkeys_enabled: true }),
        http.get('*/auth/v1/user', () => HttpResponse.json(user)),
        http.get('*/auth/v1/passkeys', () => HttpResponse.json([{ id: 'p1', friendly_name: 'Phone', created_at: at }])),
      ),
    opens: ['Rename Phone'],
    typed: { Name: 'Blue phone' },
    wrong: { typed: { Name: ' ' }, first: 'Name', says: 'Enter a name' },
    sends: ['patch', '/auth/v1/passkeys/p1'],
    submit: 'Save',
  },
  {
    name: 'a phone as second factor',
    part: <PhoneFactorDialog onVerified={close} onClose={close} />,
    typed: { 'Phone number': '+1 555 010 0100' },
    wrong: { typed: { 'Phone number': '0100' }, first: 'Phone number', says: '+' },
    sends: ['post', '/auth/v1/factors'],
    submit: 'Send code',
  },
  {
    name: 'the first code of an app [SET-21]',
    part: <TotpDialog onVerified={close} onClose={close} />,
    reads: () =>
      network.use(
        http.post('*/auth/v1/factors', () =>
          HttpResponse.json({
            id: 'f1',
            type: 'totp',
            totp: { qr_code: '<svg/>', secret: 'KEY', uri: 'otpauth://totp' },
          }),
        ),
      ),
    typed: { 'Code from the app': '123456' },
    forgotten: ['Code from the app'],
    wrong: { typed: { 'Code from the app': '12' }, first: 'Code from the app', says: 'Enter the 6-digit code' },
    sends: ['post', '/auth/v1/factors/f1/challenge'],
    submit: 'Turn on',
  },
  {
    name: 'the deletion of the account [SET-14]',
    part: <DangerZone />,
    opens: ['Delete account', 'Continue'],
    typed: { Password: 'correct horse' },
    forgotten: ['Password'],
    wrong: { typed: {}, first: 'Password', says: 'Enter your password' },
    sends: ['post', '/functions/v1/delete-own-account'],
    submit: 'Delete my account',
  },
]

holdForms(forms)

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import ReviewDialog from '../features/admin/review-dialog.tsx'
import GroupMessage from '../features/dashboard/group-message.tsx'
import { MonetizationForm } from '../features/dashboard/monetization-form.tsx'
import { Refund } from '../features/dashboard/refund.tsx'
import TipDialog from '../features/payments/tip-dialog.tsx'
import EditPost from '../features/posts/edit-post.tsx'
import NoteDialog from '../features/posts/note-dialog.tsx'
import ProfileEditor from '../features/profiles/profile-editor.tsx'
import ReportDialog from '../features/safety/report-dialog.tsx'
import EditScheduled from '../features/scheduling/edit-scheduled.tsx'
import { OfferForm } from '../features/sessions/offer-form.tsx'
import StepDialog from '../features/sessions/step-dialog.tsx'
import TimesTab from '../features/sessions/times-tab.tsx'
import { DangerZone } from '../features/settings/danger-zone.tsx'
import { EmailForm } from '../features/settings/email-form.tsx'
import { KeyLists } from '../features/settings/key-lists.tsx'
import { PasswordForm } from '../features/settings/password-form.tsx'
import { PhoneFactorDialog } from '../features/settings/phone-factor-dialog.tsx'
import { ProfileForm } from '../features/settings/profile-form.tsx'
import { TotpDialog } from '../features/settings/totp-dialog.tsx'
import EditProduct from '../features/subscription-products/edit-product.tsx'
import { ProductForm } from '../features/subscription-products/product-form.tsx'
import { PromotionForm } from '../features/subscription-products/promotion-form.tsx'
import { ApplicationForm } from '../features/verification/application-form.tsx'
import { undecided } from '../lib/monetization.ts'
import { answer, network, signInWays } from '../testing/network.ts'
import { renderPart, renderRoute } from '../testing/render-route.tsx'
import { buildPost, buildProfile } from '../testing/rows.ts'
import { sessionFor, signIn, viewerProfile } from '../testing/sign-in.ts'
import { ForViewer } from '../ui/for-viewer.tsx'

/** A form, and what a person does with it. */
type Form = {
  name: string
  part: ReactNode
  /** What the part reads before the form is there. */
  reads?: () => void
  /** Presses that lead to it. */
  opens?: readonly string[]
  /** What is typed, by label. */
  typed: Readonly<Record<string, string>>
  /** Left out of what is kept: secrets, and files, which a browser gives back to nobody. */
  forgotten?: readonly string[]
  files?: readonly string[]
  /** What is typed wrong instead, the first field that is told, and its words. Without it there is nothing to get wrong. */
  wrong?: { typed: Readonly<Record<string, string>>; first: string; says: string }
  /** The request that sends it. */
  sends: readonly [method: 'post' | 'patch' | 'put', path: string]
  submit: string
}

const creatorId = viewerProfile.id
const { id, email, aud } = sessionFor().user
const user = { id, email, aud, app_metadata: {}, user_metadata: {}, created_at: '2024-05-04T10:00:00Z' }
const at = '2024-05-04T10:00:00Z'
const post = {
  id: 'post-1',
  title: null,
  content: '',
  post_type: 'free' as const,
  media_count: 0,
  media_urls: [],
  media_types: [],
  media_previews: [],
  likes_count: 0,
  comments_count: 0,
  is_pinned: false,
  created_at: at,
}
const offer = {
  id: 'offer-1',
  creator_id: creatorId,
  title: 'An hour',
  description: null,
  duration_minutes: 60,
  price_cents: 4_000,
  is_active: true,
  created_at: at,
}
const product = {
  id: 'product-1',
  name: 'Backstage',
  description: null,
  price_cents: 999,
  interval: 'month' as const,
  trial_days: 0,
  is_active: true,
}
const close = () => undefined
const application = ['Full name', 'Address', 'Social Security Number'] as const

/** The forms of verification, products, dashboard, settings, profile and private sessions. */
const forms: Form[] = [
  {
    name: 'the application of a creator [VER-06, VER-15]',
    part: <ApplicationForm userId={user.id} />,
    reads: () => network.use(http.post('*/storage/v1/object/verification/*', () => HttpResponse.json({ Key: 'kept' }))),
    typed: {
      [application[0]]: 'Ada Lovelace',
      [application[1]]: '12 St James Square',
      [application[2]]: '123-45-6789',
    },
    forgotten: [application[2]],
    files: ['ID front', 'ID back'],
    wrong: { typed: { [application[2]]: '123' }, first: application[0], says: 'Enter your full name' },
    sends: ['post', '/rest/v1/creator_applications'],
    submit: 'Submit Application',
  },
  {
    name: 'a new product [PROD-03, PROD-05, PROD-12]',
    part: <ProductForm creatorId={creatorId} />,
    typed: { Name: 'Backstage', Description: 'All of it', Price: '$9.99', 'Free trial': '7' },
    wrong: { typed: { Name: 'Backstage', Price: '0.5' }, first: 'Price', says: 'The price must be at least $1.00' },
    sends: ['post', '/functions/v1/create-subscription-product'],
    submit: 'Create Product',
  },
  {
    name: 'the words of a product [PROD-03, PROD-11]',
    part: <EditProduct product={product} creatorId={creatorId} onClose={close} />,
    typed: { Name: 'Front row', Description: 'All of it', 'Free trial': '7' },
    wrong: {
      typed: { Name: 'Front row', 'Free trial': '91' },
      first: 'Free trial',
      says: 'Use a whole number of days',
    },
    sends: ['post', '/functions/v1/update-subscription-product'],
    submit: 'Save',
  },
  {
    name: 'a promotion code',
    part: <PromotionForm creatorId={creatorId} />,
    typed: { Code: 'SUMMER', 'Percent off': '25%', 'How many people may use it': '100', 'Last day': '2099-06-30' },
    wrong: {
      typed: { Code: 'NO', 'Percent off': '101', 'Last day': '2020-01-01' },
      first: 'Code',
      says: 'A code has 3 to 30 letters, digits, hyphens and underscores',
    },
    sends: ['post', '/functions/v1/create-promotion-code'],
    submit: 'Create code',
  },
  {
    name: 'prices and tips',
    part: <MonetizationForm creatorId={creatorId} settings={undecided} />,
    typed: { 'Price of a pay-per-view post': '$5.00', 'Smallest tip': '$2.00', 'Suggested tips': '2, 4, 8' },
    wrong: { typed: { 'Suggested tips': 'none' }, first: 'Suggested tips', says: 'Enter one to four' },
    sends: ['post', '/rest/v1/monetization_settings'],
    submit: 'Save',
  },
  {
    name: 'a message to a group [MSG-05]',
    part: <GroupMessage profileId={creatorId} group="all" onClose={close} />,
    typed: { Message: 'Thank you all', 'Price in USD': '$3.00' },
    wrong: { typed: { 'Price in USD': '0.2' }, first: 'Message', says: 'Write a message' },
    sends: ['post', '/rest/v1/rpc/message_subscribers'],
    submit: 'Send',
  },
  {
    name: 'the refund of a payment [D40]',
    part: (
      <Refund
        profileId={creatorId}
        payment={{
          id: 'payment-1',
          transaction_type: 'tip',
          status: 'completed',
          amount: 10,
          fee_amount: 1,
          net_amount: 9,
          created_at: at,
          from: null,
        }}
      />
    ),
    opens: ['Refund $10.00 from Former member'],
    typed: { Reason: 'Sent twice' },
    wrong: { typed: { Reason: ' ' }, first: 'Reason', says: 'Say why' },
    sends: ['post', '/functions/v1/refund-payment'],
    submit: 'Refund',
  },
  {
    name: 'the words of a post',
    part: <EditPost post={post} onClose={close} />,
    typed: { Title: 'Harbour', Content: 'Before the boats leave' },
    wrong: { typed: { Content: ' ' }, first: 'Content', says: 'Please add some content or upload files' },
    sends: ['patch', '/rest/v1/posts'],
    submit: 'Save',
  },
  {
    name: 'a scheduled post',
    part: (
      <EditScheduled post={{ ...post, media_types: [], poll: null, publish_at: at, failure: null }} onClose={close} />
    ),
    typed: { Title: 'Harbour', Content: 'Before the boats leave', 'Publish on': soon() },
    wrong: {
      typed: { Content: 'Words', 'Publish on': '2020-01-01T10:00' },
      first: 'Publish on',
      says: 'Choose a time that is still to come',
    },
    sends: ['patch', '/rest/v1/scheduled_posts'],
    submit: 'Save',
  },
  {
    name: 'one’s profile in settings [SET-07, SET-12]',
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
    name: 'one’s email',
    part: <EmailForm user={user} />,
    typed: { 'New email': 'ada@new.example' },
    wrong: { typed: { 'New email': 'ada@example.com' }, first: 'New email', says: 'This is your address already' },
    sends: ['put', '/auth/v1/user'],
    submit: 'Change email',
  },
  {
    name: 'one’s password [SET-08, SET-10, SET-11]',
    part: <PasswordForm user={user} />,
    typed: {
      'Current password': 'the old one',
      'New password': 'a better one',
      'Repeat the new password': 'a better one',
    },
    forgotten: ['Current password', 'New password', 'Repeat the new password'],
    wrong: {
      typed: {
        'Current password': 'the old one',
        'New password': 'a better one',
        'Repeat the new password': 'another',
      },
      first: 'Repeat the new password',
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
    wrong: { typed: { Name: ' ' }, first: 'Name', says: 'Give it a name' },
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
    wrong: { typed: { 'Code from the app': '12' }, first: 'Code from the app', says: 'Enter the six digits' },
    sends: ['post', '/auth/v1/factors/f1/challenge'],
    submit: 'Turn on',
  },
  {
    name: 'the deletion of one’s account [SET-14]',
    part: <DangerZone />,
    opens: ['Delete account', 'Continue'],
    typed: { Password: 'correct horse' },
    forgotten: ['Password'],
    wrong: { typed: {}, first: 'Password', says: 'Enter your password' },
    sends: ['post', '/functions/v1/delete-own-account'],
    submit: 'Delete my account',
  },
  {
    name: 'an offer of private sessions [PRIV-02]',
    part: <OfferForm creatorId={creatorId} />,
    typed: {
      Title: 'Portfolio review',
      Description: 'Bring ten pictures',
      'Length in minutes': '45',
      'Price in USD': '$40.00',
    },
    wrong: { typed: { Title: 'Review', 'Length in minutes': '5' }, first: 'Length in minutes', says: 'From 10' },
    sends: ['post', '/rest/v1/session_offers'],
    submit: 'Create offer',
  },
  {
    name: 'times of private sessions [PRIV-02]',
    part: <TimesTab creatorId={creatorId} />,
    reads: () =>
      network.use(
        http.get('*/rest/v1/session_offers', () => HttpResponse.json([offer])),
        http.get('*/rest/v1/session_slots', () => HttpResponse.json([])),
      ),
    typed: { Date: soon().slice(0, 10), 'First start': '14:30' },
    wrong: { typed: { Date: '2020-01-01', 'First start': '14:30' }, first: 'Date', says: 'Choose a day' },
    sends: ['post', '/rest/v1/session_slots'],
    submit: 'Add times',
  },
  {
    name: 'the cancellation of a session [PRIV-05]',
    part: <StepDialog bookingId="booking-1" ask="cancelCreator" onClose={close} />,
    typed: { 'A word to the other person': 'I am ill' },
    sends: ['post', '/rest/v1/rpc/cancel_booking'],
    submit: 'Cancel session',
  },
  {
    name: 'a tip [PROF-21, D28]',
    part: <TipDialog target={{ creatorId: 'noor', name: 'Noor Haddad' }} onClose={close} />,
    typed: { 'Amount in USD': '$7.50' },
    wrong: { typed: { 'Amount in USD': '$0.99' }, first: 'Amount in USD', says: 'Enter an amount from $1.00' },
    sends: ['post', '/functions/v1/create-payment-checkout'],
    submit: 'Continue',
  },
  {
    name: 'a report [D43, SUPP-20]',
    part: (
      <ForViewer skeleton={null}>
        {() => <ReportDialog target={{ type: 'post', id: 'post-1' }} onClose={close} />}
      </ForViewer>
    ),
    typed: { Details: 'It shows my house' },
    sends: ['post', '/rest/v1/reports'],
    submit: 'Send report',
  },
  {
    name: 'the rejection of an application [ADM-08]',
    part: <ReviewDialog application={{ id: 'application-1', full_name: 'Ada' }} decision="rejected" onClose={close} />,
    typed: { Reason: 'The back of the card is blurred' },
    wrong: { typed: { Reason: ' ' }, first: 'Reason', says: 'Enter a reason' },
    sends: ['patch', '/rest/v1/creator_applications'],
    submit: 'Reject',
  },
  {
    name: 'a note on a post [POST-13, D28]',
    part: <NoteDialog post={buildPost({ id: 'post-1' })} onClose={close} />,
    typed: { Note: 'Please say where it was taken' },
    sends: ['patch', '/rest/v1/posts'],
    submit: 'Save',
  },
]

/** A day from now, as a field of a local time holds it; the year is the clock's, so that it stays to come. */
function soon(): string {
  const day = new Date(Date.now() + 86_400_000)
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}T18:30`
}

const field = (label: string) => screen.getByLabelText(new RegExp(`^${label}( \\*)?$`))

async function show({ part, reads, opens = [], typed, files = [] }: Form) {
  signIn({ is_creator: true, is_verified: true })
  reads?.()
  renderPart(part)
  for (const name of opens) await userEvent.click(await screen.findByRole('button', { name }))
  const [first = ''] = [...Object.keys(typed), ...files]
  await screen.findByLabelText(new RegExp(`^${first}( \\*)?$`))
}

function type(values: Readonly<Record<string, string>>) {
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } })
}

const theForm = (label: string) => {
  const form = field(label).closest('form')
  if (!form) throw new Error('the field stands in no form')
  return form
}

describe('nothing typed is lost, nothing is sent twice, and what is wrong is told where it stands', () => {
  it.each(forms)('$name', async (form) => {
    const { typed, forgotten = [], files = [], wrong, sends, submit } = form
    const [method, path] = sends
    let requests = 0
    let refuse: (() => void) | undefined
    const sent = () =>
      http[method](`*${path}`, async () => {
        requests += 1
        await new Promise<void>((resolve) => {
          refuse = resolve
        })
        return HttpResponse.json({ error: 'Out of order', message: 'Out of order', code: 'XX000' }, { status: 422 })
      })

    if (wrong) {
      await show(form)
      network.use(sent())
      type(wrong.typed)
      await userEvent.click(screen.getByRole('button', { name: submit }))
      const first = field(wrong.first)
      await waitFor(() => expect(first).toHaveFocus())
      expect(first).toHaveAttribute('aria-invalid', 'true')
      expect(first).toHaveAccessibleDescription(new RegExp(wrong.says.replace('$', '\\$').replace('+', '\\+')))
      expect(requests).toBe(0)
      cleanup()
      sessionStorage.clear()
    }

    await show(form)
    network.use(sent())
    type(typed)
    for (const label of files)
      await userEvent.upload(field(label), new File(['pixels'], 'id.png', { type: 'image/png' }))
    // Two presses before anything has been answered, or even drawn.
    const [label = ''] = Object.keys(typed)
    fireEvent.submit(theForm(label))
    fireEvent.submit(theForm(label))
    await waitFor(() => expect(refuse).toBeDefined())
    refuse?.()
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(requests).toBe(1)
    for (const [name, value] of Object.entries(typed)) expect(field(name), name).toHaveValue(value)

    // It can be sent again, and over a reload all but secrets is there.
    refuse = undefined
    fireEvent.submit(theForm(label))
    await waitFor(() => expect(refuse).toBeDefined())
    expect(requests).toBe(2)
    cleanup()
    await show(form)
    for (const [name, value] of Object.entries(typed))
      expect(field(name), name).toHaveValue(forgotten.includes(name) ? '' : value)
    for (const name of forgotten) expect(JSON.stringify({ ...sessionStorage })).not.toContain(typed[name])
  })
})

it('a session that ends before the form is sent leads to the sign-in, and back to what was typed [GEN-40]', async () => {
  signIn({ is_creator: true, is_verified: true })
  network.use(
    answer('profiles', [
      {
        ...viewerProfile,
        is_creator: true,
        is_verified: true,
        stripe_account_id: 'acct_1',
        stripe_charges_enabled: true,
      },
    ]),
    answer('subscription_products', []),
    // As the server does for a caller that it knows no more.
    http.post('*/functions/v1/create-subscription-product', () =>
      HttpResponse.json({ error: 'Sign In Required' }, { status: 401 }),
    ),
    http.post('*/auth/v1/token', () =>
      HttpResponse.json(
        { code: 400, error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' },
        { status: 400 },
      ),
    ),
  )
  const { router } = renderRoute('/subscription-products')
  await screen.findByLabelText(/^Name/)
  type({ Name: 'Backstage', Price: '9.99' })
  const key = `sb-${window.location.hostname.split('.')[0]}-auth-token`
  localStorage.setItem(key, JSON.stringify({ ...sessionFor(), expires_at: Math.floor(Date.now() / 1000) - 60 }))
  await userEvent.click(screen.getByRole('button', { name: 'Create Product' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  network.use(http.post('*/auth/v1/token', () => HttpResponse.json(sessionFor())))
  await screen.findByLabelText('Email')
  type({ Email: 'ada@example.com', Password: 'correct horse' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/subscription-products'))
  expect(await screen.findByLabelText(/^Name/)).toHaveValue('Backstage')
  expect(screen.getByLabelText(/^Price/)).toHaveValue('$9.99')
})

import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { FanNotesForm } from '../domain/fans/fan-notes-form.tsx'
import { OfferForm as PlanOfferForm } from '../domain/offers/offer-form.tsx'
import { undecided } from '../domain/payments/monetization.ts'
import { Refund } from '../domain/payments/refund.tsx'
import EditProduct from '../domain/plans/edit-plan.tsx'
import { ProductForm } from '../domain/plans/plan-form.tsx'
import { PromotionForm } from '../domain/plans/promotion-form.tsx'
import { MonetizationForm } from '../features/dashboard/monetization-form.tsx'
import { OfferForm } from '../features/private-sessions/offer-form.tsx'
import StepDialog from '../features/private-sessions/step-dialog.tsx'
import { WeeklyHoursForm } from '../features/private-sessions/weekly-hours-form.tsx'
import { CustomDomainForm } from '../features/settings/custom-domain.tsx'
import { LayoutForm } from '../features/settings/layout-form.tsx'
import { LinksForm } from '../features/settings/links-form.tsx'
import { MessageSettingsForm, undecided as noMessageSettings } from '../features/settings/message-settings.tsx'
import { usualLayout } from '../features/settings/page-queries.ts'
import { ApplicationForm } from '../features/verification/application-form.tsx'
import { type Form, holdForms, type } from '../testing/forms.tsx'
import { answer, network } from '../testing/network.ts'
import { renderRoute } from '../testing/render-route.tsx'
import { sessionFor, signIn, viewerProfile } from '../testing/sign-in.ts'

const creatorId = viewerProfile.id
const { id, email, aud } = sessionFor().user
const user = { id, email, aud, app_metadata: {}, user_metadata: {}, created_at: '2024-05-04T10:00:00Z' }
const hours = {
  time_zone: 'Europe/Lisbon',
  weekly: [[{ start: '09:00', end: '17:00' }], [], [], [], [], [], []],
  buffer_minutes: 0,
  notice_hours: 24,
  horizon_days: 60,
}
const product = {
  id: 'product-1',
  name: 'Backstage',
  description: null,
  price_cents: 999,
  interval: 'month' as const,
  trial_days: 0,
  is_active: true,
  benefits: [],
  is_popular: false,
  terms: [],
}
const close = () => undefined
const application = ['Full name', 'Address', 'Social Security number'] as const

/** The forms of creators: verification, plans, dashboard, and private sessions. */
const forms: Form[] = [
  {
    name: 'the application of a creator [VER-06, VER-15]',
    part: <ApplicationForm userId={user.id} />,
    reads: () => network.use(http.post('*/storage/v1/object/verification/*', () => HttpResponse.json({ Key: 'kept' }))),
    typed: {
      Country: 'US',
      [application[0]]: 'Ada Lovelace',
      [application[1]]: '12 St James Square',
      [application[2]]: '123-45-6789',
    },
    forgotten: [application[2]],
    files: ['ID front', 'ID back'],
    wrong: { typed: { Country: 'US', [application[2]]: '123' }, first: application[0], says: 'Enter your full name' },
    sends: ['post', '/rest/v1/creator_applications'],
    submit: 'Submit application',
  },
  {
    name: 'a new product [PROD-03, PROD-05, PROD-12]',
    part: <ProductForm creatorId={creatorId} />,
    typed: { Name: 'Backstage', Description: 'All of it', Price: '$9.99', 'Free trial': '7' },
    wrong: { typed: { Name: 'Backstage', Price: '0.5' }, first: 'Price', says: 'The price must be at least $1.00' },
    sends: ['post', '/functions/v1/create-subscription-product'],
    submit: 'Create plan',
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
    typed: { Code: 'SUMMER', 'Percent off': '25%', 'Usage limit': '100', 'Last day': '2099-06-30' },
    wrong: {
      typed: { Code: 'NO', 'Percent off': '101', 'Last day': '2020-01-01' },
      first: 'Code',
      says: 'Use 3 to 30 letters, numbers, hyphens, or underscores',
    },
    sends: ['post', '/functions/v1/create-promotion-code'],
    submit: 'Create code',
  },
  {
    name: 'an offer [OFFER-04]',
    part: <PlanOfferForm creatorId={creatorId} plans={[product]} />,
    typed: { Discount: '25%', 'Billing periods': '3', 'Number of users': '1,000' },
    wrong: {
      typed: { Discount: '0%', 'Billing periods': '13' },
      first: 'Discount',
      says: 'Enter a whole number from 1 to 99',
    },
    sends: ['post', '/rest/v1/rpc/create_offer'],
    submit: 'Start offer',
  },
  {
    name: 'prices and tips',
    part: <MonetizationForm creatorId={creatorId} settings={undecided} />,
    typed: { 'Pay-per-view post price': '$5.00', 'Minimum tip': '$2.00', 'Suggested tips': '2, 4, 8' },
    wrong: { typed: { 'Suggested tips': 'none' }, first: 'Suggested tips', says: 'Enter one to four' },
    sends: ['post', '/rest/v1/monetization_settings'],
    submit: 'Save',
  },
  {
    name: 'an away message [PAGE-03]',
    part: <MessageSettingsForm creatorId={creatorId} settings={noMessageSettings} />,
    reads: () => network.use(answer('rpc/get_own_reply_time', null)),
    typed: { 'Away message': 'Back on Monday', 'Last day away': '2099-06-30' },
    wrong: { typed: { 'Last day away': '2020-01-01' }, first: 'Last day away', says: 'Choose today or a later date' },
    sends: ['post', '/rest/v1/message_settings'],
    submit: 'Save',
  },
  {
    name: 'a custom domain [PAGE-02]',
    part: <CustomDomainForm creatorId={creatorId} />,
    typed: { Domain: 'https://Studio.example.com/' },
    wrong: { typed: { Domain: '203.0.113.7' }, first: 'Domain', says: 'Enter a domain, such as studio.example.com' },
    sends: ['post', '/rest/v1/custom_domains'],
    submit: 'Add domain',
  },
  {
    name: 'notes about a fan [LIST-03]',
    part: <FanNotesForm viewerId={creatorId} fanId="fan-1" notes={{ custom_name: null, tags: [], note: null }} />,
    typed: { 'Custom name': 'Len', Tags: 'early bird, Oslo', Note: 'Likes the harbor' },
    wrong: { typed: { Tags: 'x'.repeat(31) }, first: 'Tags', says: 'Use 30 characters or fewer for each tag' },
    sends: ['post', '/rest/v1/fan_notes'],
    submit: 'Save',
  },
  {
    name: 'the layout of a profile [PAGE-01]',
    part: <LayoutForm creatorId={creatorId} layout={usualLayout} />,
    reads: () => network.use(answer('posts', [])),
    typed: { 'Accent color': '#1f5f99', 'Welcome message': 'Hello' },
    wrong: { typed: { 'Accent color': 'red' }, first: 'Accent color', says: 'Use a color code' },
    sends: ['post', '/rest/v1/profile_layouts'],
    submit: 'Save page',
  },
  {
    name: 'links to other sites [PAGE-01]',
    part: (
      <LinksForm
        viewer={{
          profileId: creatorId,
          userId: user.id,
          username: 'ada',
          displayName: null,
          avatarUrl: null,
          isCreator: true,
          isVerified: true,
          isAdmin: false,
          mayPublish: true,
        }}
        links={[{ id: 'link-1', label: 'Blog', url: 'https://blog.example/', verified_at: null }]}
      />
    ),
    typed: { Label: 'My blog', Address: 'https://my-blog.example/' },
    wrong: { typed: { Label: 'My blog', Address: 'http://blog.example' }, first: 'Address', says: 'starts with https' },
    sends: ['post', '/rest/v1/rpc/set_profile_links'],
    submit: 'Save links',
  },
  {
    name: 'the refund of a payment [D40]',
    part: (
      <Refund
        name="Former member"
        onDone={close}
        payment={{ id: 'payment-1', transaction_type: 'tip', status: 'completed', amount: 1000 }}
      />
    ),
    opens: ['Refund $10.00 from Former member'],
    typed: { Reason: 'Sent twice' },
    wrong: { typed: { Reason: ' ' }, first: 'Reason', says: 'Enter a reason' },
    sends: ['post', '/functions/v1/refund-payment'],
    submit: 'Refund',
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
    submit: 'Create session type',
  },
  {
    name: 'the weekly hours for private sessions [LOOP-25]',
    part: <WeeklyHoursForm creatorId={creatorId} saved={hours} />,
    typed: {
      'Time zone': 'Asia/Tokyo',
      'Monday from': '10:00',
      'Monday to': '14:00',
      'Buffer in minutes': '15',
      'Notice in hours': '48',
      'Days ahead': '30',
    },
    wrong: {
      typed: { 'Monday from': '18:00', 'Buffer in minutes': '999' },
      first: 'Monday from',
      says: 'The end must be after the start',
    },
    sends: ['post', '/rest/v1/session_availability'],
    submit: 'Save hours',
  },
  {
    name: 'the cancellation of a session [PRIV-05]',
    part: <StepDialog bookingId="booking-1" ask="cancelCreator" onClose={close} />,
    typed: { 'Message to the other person': 'I am ill' },
    sends: ['post', '/rest/v1/rpc/cancel_booking'],
    submit: 'Cancel session',
  },
]

holdForms(forms)

it('a session that expires before submit leads to the sign-in screen and back to the draft [GEN-40]', async () => {
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
    // As the server does for an expired token.
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
  await userEvent.click(screen.getByRole('button', { name: 'Create plan' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  network.use(http.post('*/auth/v1/token', () => HttpResponse.json(sessionFor())))
  await screen.findByLabelText('Email')
  type({ Email: 'ada@example.com', Password: 'correct horse' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/subscription-products'))
  expect(await screen.findByLabelText(/^Name/)).toHaveValue('Backstage')
  expect(screen.getByLabelText(/^Price/)).toHaveValue('$9.99')
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it } from 'vitest'
import { setConfig } from '../../lib/api/config.ts'
import { testConfig } from '../../testing/config.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

afterEach(() => setConfig(testConfig))

/** Takes requests in, and keeps them. None is answered before `held` is over. */
function takeRequests(held?: Promise<void>) {
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/support_requests', async ({ request }) => {
      // A visitor may not read: an insert that asks for its row back would be refused.
      expect(request.headers.get('prefer') ?? '').not.toContain('representation')
      sent.push(await request.json())
      await held
      return new HttpResponse(null, { status: 201 })
    }),
  )
  return sent
}

const field = (name: RegExp | string) => within(screen.getByRole('main')).getByLabelText(name)

/** Sets the text at once: these tests aren't about typing. */
async function put(name: RegExp, text: string) {
  await userEvent.click(await within(await screen.findByRole('main')).findByLabelText(name))
  await userEvent.paste(text)
}

async function fillIn() {
  await put(/^Name/, 'Grace')
  await put(/^Email/, 'grace@example.com')
  await put(/^Subject/, ' Charged twice ')
  await put(/^Message/, 'See June 3rd.')
}

it('gives the address, the response times, six categories, eight answers and three cards [SUPP-01, SUPP-02, SUPP-03, SUPP-04, SUPP-23]', async () => {
  renderRoute('/support')
  expect(await screen.findByRole('heading', { level: 1, name: 'Customer Support' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Customer Support · Ovation'))
  expect(screen.getByRole('link', { name: 'support@ovation.example' })).toHaveAttribute(
    'href',
    'mailto:support@ovation.example',
  )
  const times = screen.getAllByRole('definition').map((time) => [time.previousSibling?.textContent, time.textContent])
  expect(times).toEqual([
    ['General', '24-48 hours'],
    ['Urgent', '2-4 hours'],
    ['Critical', '30 minutes'],
  ])
  const help = within(screen.getByRole('region', { name: 'Quick Help' }))
  expect(help.getAllByRole('button').map((button) => button.textContent?.match(/^[A-Z][a-z]+(?=[A-Z])/)?.[0])).toEqual([
    'Account',
    'Billing',
    'Technical',
    'Safety',
    'Creator',
    'Other',
  ])
  expect(screen.getAllByRole('button', { name: /\?$/ })).toHaveLength(8)
  for (const card of ['Account Settings', 'Billing Help', 'Safety & Security'])
    expect(screen.getByRole('heading', { name: card })).toBeVisible()
})

it("names no address that the operator hasn't set [SUPP-02]", async () => {
  setConfig({ ...testConfig, operator: { ...testConfig.operator, supportEmail: '' } })
  renderRoute('/support')
  const contact = within(await screen.findByRole('region', { name: 'Contact us' }))
  expect(contact.getByText('Use the form below. We answer by email.')).toBeVisible()
  expect(contact.queryByRole('link')).not.toBeInTheDocument()
})

it('stands in the footer [GEN-33]', async () => {
  const { router } = renderRoute('/terms-of-service')
  await userEvent.click(await screen.findByRole('link', { name: 'Support' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/support'))
})

it('sets the category of the form from the grid, and leads on from the cards [SUPP-04, SUPP-23, D43]', async () => {
  renderRoute('/support')
  const billing = await screen.findByRole('button', { name: /^Billing/ })
  const help = within(screen.getByRole('region', { name: 'Quick Help' }))
  const categories = ['Account', 'Billing', 'Technical', 'Safety', 'Creator', 'Other']
  expect(help.getAllByRole('button')).toHaveLength(categories.length)
  for (const category of categories) {
    await userEvent.click(help.getByRole('button', { name: new RegExp(`^${category}`) }))
    expect(field('Category')).toHaveValue(category)
  }
  await userEvent.click(billing)
  expect(field('Category')).toHaveValue('Billing')
  expect(field('Category')).toHaveFocus()
  expect(billing).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(screen.getByRole('button', { name: /^Safety/ }))
  expect(field('Category')).toHaveValue('Safety')
  expect(billing).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(screen.getByRole('button', { name: 'Get billing help' }))
  expect(field('Category')).toHaveValue('Billing')
  expect(field('Category')).toHaveFocus()
  for (const name of ['Account Settings', 'Billing Help', 'Safety & Security'])
    expect(screen.getByRole('heading', { name })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open settings' })).toHaveAttribute('href', '/settings')
  expect(screen.getByRole('link', { name: 'Open privacy settings' })).toHaveAttribute('href', '/settings?tab=privacy')
})

it("sends a visitor's request, and is empty again afterwards [SUPP-05, SUPP-07, SUPP-08, SUPP-09, SUPP-10, SUPP-11, SUPP-13, API-REST-34]", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const sent = takeRequests(held)
  renderRoute('/support')
  await fillIn()
  expect(field('Category')).toHaveValue('')
  expect(field('Priority')).toHaveValue('normal')
  const priorities = within(field('Priority')).getAllByRole('option')
  expect(priorities.map((option) => option.getAttribute('value'))).toEqual(['low', 'normal', 'high', 'urgent'])
  expect(field(/^Message/)).toHaveAttribute('rows', '6')
  await userEvent.selectOptions(field('Priority'), 'urgent')
  await userEvent.click(screen.getByRole('button', { name: 'Submit request' }))
  expect(await screen.findByRole('button', { name: 'Submitting...' })).toBeDisabled()
  release()
  expect(await screen.findByText('Support Request Submitted')).toBeVisible()
  expect(screen.getByText("We'll get back to you within 24 hours.")).toBeVisible()
  expect(sent).toEqual([
    {
      name: 'Grace',
      email: 'grace@example.com',
      subject: 'Charged twice',
      category: null,
      message: 'See June 3rd.',
      priority: 'urgent',
      user_id: null,
    },
  ])
  expect(field('Priority')).toHaveValue('normal')
  for (const name of [/^Name/, /^Email/, /^Subject/, /^Message/]) expect(field(name)).toHaveValue('')
  expect(screen.queryByText('Missing Information')).not.toBeInTheDocument()
})

it('knows who is signed in, before and after sending [SUPP-10, SUPP-13]', async () => {
  signIn()
  const sent = takeRequests()
  renderRoute('/support')
  await waitFor(() => expect(screen.getByLabelText(/^Name/)).toHaveValue('Ada Lovelace'))
  expect(field(/^Email/)).toHaveValue('ada@example.com')
  await userEvent.selectOptions(field('Category'), 'Creator')
  await put(/^Subject/, 'Payout')
  await put(/^Message/, 'Where is it?')
  await userEvent.click(screen.getByRole('button', { name: 'Submit request' }))
  await screen.findByText('Support Request Submitted')
  expect(sent).toMatchObject([{ user_id: viewerProfile.user_id, category: 'Creator', email: 'ada@example.com' }])
  expect(field(/^Name/)).toHaveValue('Ada Lovelace')
  expect(field(/^Subject/)).toHaveValue('')
})

it('asks for what is missing, and for an address that can be answered [SUPP-06]', async () => {
  const sent = takeRequests()
  renderRoute('/support')
  await put(/^Email/, 'grace')
  await put(/^Subject/, '   ')
  await userEvent.click(screen.getByRole('button', { name: 'Submit request' }))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Missing Information')
  expect(alert).toHaveTextContent('Please fill in all required fields.')
  expect(field(/^Name/)).toHaveFocus()
  expect(field(/^Email/)).toHaveAccessibleDescription('Enter an email like name@example.com')
  expect(field(/^Email/)).toHaveAttribute('type', 'email')
  for (const name of [/^Subject/, /^Message/]) expect(field(name)).toBeInvalid()
  expect(field('Category')).toBeValid()
  expect(sent).toEqual([])
})

it('keeps what was typed when it fails, and sends it on the next try [SUPP-12]', async () => {
  network.use(
    http.post('*/rest/v1/support_requests', () =>
      HttpResponse.json({ code: 'XX000', message: 'down' }, { status: 500 }),
    ),
  )
  renderRoute('/support')
  await fillIn()
  await userEvent.click(screen.getByRole('button', { name: 'Submit request' }))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Submission Failed')
  expect(alert).toHaveTextContent('There was an error submitting your request. Please try again.')
  expect(field(/^Message/)).toHaveValue('See June 3rd.')
  const sent = takeRequests()
  await userEvent.click(screen.getByRole('button', { name: 'Submit request' }))
  await screen.findByText('Support Request Submitted')
  expect(screen.queryByText('Submission Failed')).not.toBeInTheDocument()
  expect(sent).toHaveLength(1)
})

it('opens one answer at a time, and closes it again [SUPP-14, SUPP-15, SUPP-16, SUPP-17, SUPP-18, SUPP-19, SUPP-20, SUPP-21, SUPP-22]', async () => {
  renderRoute('/support')
  const open = async (question: RegExp, answer: RegExp) => {
    const control = await screen.findByRole('button', { name: question })
    await userEvent.click(control)
    expect(control).toHaveAttribute('aria-expanded', 'true')
    await waitFor(() => expect(screen.getByText(answer)).toBeVisible())
    expect(screen.getAllByRole('button', { expanded: true, name: /\?$/ })).toEqual([control])
    return control
  }
  await open(/become a creator/, /apply with your name/)
  await open(/fee/, /10% of each payment/)
  await open(/cancel a subscription/, /Dashboard > Subscriptions/)
  await open(/When do I get my payouts/, /2-7 business days/)
  await open(/payments secure/, /never see or store it/)
  await open(/report content/, /choose Report/)
  await open(/change my username/, /Settings > Account and enter/)
  const last = await open(/delete my account/, /Settings > Account > Danger Zone.*irreversible/)
  await userEvent.click(last)
  expect(last).toHaveAttribute('aria-expanded', 'false')
})

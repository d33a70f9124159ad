import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { setConfig } from '../../lib/api/config.ts'
import { testConfig } from '../../testing/config.ts'
import { renderRoute } from '../../testing/render-route.tsx'

/** The sections as they stand, against what each has to be about. */
function expectSections(topics: RegExp[]) {
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(titles).toEqual(topics.map((topic) => expect.stringMatching(topic)))
}

const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())

afterEach(() => setConfig(testConfig))

it('shows the Privacy Policy in ten sections, dated today, with the rights of access, deletion, opt-out and copy [STAT-01, STAT-02, STAT-03]', async () => {
  renderRoute('/privacy-policy')
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
  expectSections([
    /collect/,
    /use/,
    /share/,
    /Security/,
    /Payment processing by Stripe/,
    /Cookies/,
    /18\+/,
    /rights/,
    /Changes/,
    /Contact/,
  ])
  expect(screen.getByText(`Last updated: ${today}`)).toBeVisible()
  for (const right of ['Access:', 'Deletion:', 'Marketing opt-out:', 'Data copy:'])
    expect(screen.getByText(new RegExp(`^${right}`))).toBeVisible()
})

it('shows the Terms of Service in fifteen sections, dated today, with the fee of 10% [STAT-04, STAT-05, GEN-06]', async () => {
  renderRoute('/terms-of-service')
  expect(await screen.findByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible()
  expectSections([
    /Acceptance/,
    /License/,
    /Accounts/,
    /Content guidelines/,
    /Payment terms/,
    /Creator responsibilities/,
    /Intellectual property/,
    /Privacy/,
    /Termination/,
    /Disclaimer/,
    /Limitations/,
    /Accuracy/,
    /Modifications/,
    /Governing law/,
    /Contact/,
  ])
  expect(screen.getByText(`Last updated: ${today}`)).toBeVisible()
  expect(screen.getByText(/The platform fee is 10%/)).toBeVisible()
})

it.each(['/privacy-policy', '/terms-of-service'])("dates %s by today's date [STAT-06]", async (path) => {
  renderRoute(path)
  expect(await screen.findByText(`Last updated: ${today}`)).toBeVisible()
})

it("names the operator, the address, the jurisdiction and the support address from the operator's settings [STAT-07]", async () => {
  renderRoute('/terms-of-service')
  expect(await screen.findByText(/The law of the State of Oregon, USA/)).toBeVisible()
  expect(screen.getByText(/Ovation Media LLC, 1 Theater Row, Portland, Oregon/)).toHaveTextContent(
    /Oregon, support@ovation\.example\.$/,
  )
})

it('leads to the support address and to the other document where the text names them [STAT-04, STAT-07]', async () => {
  renderRoute('/terms-of-service')
  const text = within(await screen.findByRole('main'))
  expect(text.getByRole('link', { name: 'support@ovation.example' })).toHaveAttribute(
    'href',
    'mailto:support@ovation.example',
  )
  expect(text.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy-policy')
  // Its own name leads nowhere.
  expect(text.queryByRole('link', { name: 'Terms of Service' })).not.toBeInTheDocument()
})

it('escapes regex characters in the support address [STAT-07]', async () => {
  const supportEmail = 'help+(us*@ovation.example'
  setConfig({ ...testConfig, operator: { ...testConfig.operator, supportEmail } })
  renderRoute('/terms-of-service')
  expect(await screen.findByRole('link', { name: supportEmail })).toHaveAttribute('href', `mailto:${supportEmail}`)
})

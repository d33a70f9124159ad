import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderRoute } from '../../testing/render-route.tsx'

const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())

it('shows the Privacy Policy in ten sections, dated today, with the rights of access, deletion, opt-out and copy [STAT-01, STAT-02, STAT-03, STAT-06]', async () => {
  renderRoute('/privacy-policy')
  expect(await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(10)
  expect(screen.getByText(`Last updated: ${today}`)).toBeVisible()
  for (const right of ['Access:', 'Deletion:', 'Marketing opt-out:', 'Data copy:'])
    expect(screen.getByText(new RegExp(`^${right}`))).toBeVisible()
})

it('shows the Terms of Service in fifteen sections, dated today, with the fee of 10% [STAT-04, STAT-05, STAT-06, GEN-06]', async () => {
  renderRoute('/terms-of-service')
  expect(await screen.findByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(15)
  expect(screen.getByText(`Last updated: ${today}`)).toBeVisible()
  expect(screen.getByText(/The platform fee is 10%/)).toBeVisible()
})

it("names the operator, the address, the jurisdiction and the support address from the operator's settings [STAT-07]", async () => {
  renderRoute('/terms-of-service')
  expect(await screen.findByText(/the law of the State of Oregon, USA/)).toBeVisible()
  expect(screen.getByText(/Ovation Media LLC, 1 Theatre Row, Portland, Oregon, support@ovation\.example/)).toBeVisible()
})

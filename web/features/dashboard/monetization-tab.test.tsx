import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { viewerProfile } from '../../testing/sign-in.ts'

describe('the ways of being paid', () => {
  it('lead to every way of being paid [DASH-03]', async () => {
    creator({
      subscription_products: [],
      session_offers: [{ id: 'o', title: 'A talk', price_cents: 4_000, is_active: true }],
    })
    renderRoute('/dashboard?tab=monetization')
    expect(await screen.findByRole('link', { name: 'Manage plans' })).toHaveAttribute('href', '/subscription-products')
    expect(screen.getByText('1 active session type, from $40.00')).toBeVisible()
    expect(within(screen.getByRole('region', { name: 'Tips' })).getByText('$4.50 in the last 30 days')).toBeVisible()
  })

  it('keep what prices start from and which tips are taken, and say what is wrong at its field [DASH-03, PROF-21, D28]', async () => {
    creator({ subscription_products: [], session_offers: [] })
    const saved: unknown[] = []
    let down = true
    network.use(
      http.post('*/rest/v1/monetization_settings', async ({ request }) => {
        if (down) return HttpResponse.json({ code: 'XX000', message: 'down' }, { status: 500 })
        saved.push(await request.json())
        return new HttpResponse(null, { status: 201 })
      }),
    )
    renderRoute('/dashboard?tab=monetization')
    const form = within(await screen.findByRole('form', { name: 'Prices and tips' }))
    const [smallest, suggested] = [form.getByLabelText('Minimum tip'), form.getByLabelText('Suggested tips')]
    expect(suggested).toHaveValue('5, 10, 25, 50')
    const ppv = form.getByLabelText('Pay-per-view post price')
    await userEvent.type(ppv, '0.5')
    await userEvent.clear(smallest)
    await userEvent.type(smallest, '8')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Enter a price from $1.00 to $9,999.99, or leave it blank')).toBeVisible()
    expect(form.getByText('Enter one to four different amounts from $8.00 to $500.00')).toBeVisible()
    expect(ppv).toHaveFocus()
    await userEvent.clear(ppv)
    await userEvent.type(ppv, '12')
    await userEvent.clear(suggested)
    await userEvent.type(suggested, '$8, 20')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText("Couldn't save prices and tips")).toBeVisible()

    // Nothing that was typed is lost, neither by the error nor by a reload.
    cleanup()
    renderRoute('/dashboard?tab=monetization')
    down = false
    const again = within(await screen.findByRole('form', { name: 'Prices and tips' }))
    expect(again.getByLabelText('Suggested tips')).toHaveValue('$8, 20')
    await userEvent.click(again.getByRole('switch', { name: /^Accept tips/ }))
    await userEvent.click(again.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Prices and tips saved')).toBeVisible()
    expect(saved).toEqual([
      {
        creator_id: viewerProfile.id,
        ppv_price_cents: 1200,
        message_price_cents: null,
        takes_tips: false,
        tip_min_cents: 800,
        tip_presets_cents: [800, 2000],
      },
    ])
    expect(screen.getByText("You're not accepting tips right now.")).toBeVisible()
  })
})

import type { Database } from '@ovation/contract/database'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const product = {
  id: 'product-1',
  name: 'Backstage',
  description: 'Everything behind the curtain',
  price_cents: 999,
  interval: 'month',
  trial_days: 7,
  is_active: true,
  benefits: [] as string[],
  is_popular: false,
  terms: [] as { months: number; percent_off: number; price_cents: number }[],
}

/** A creator as `profiles` answers for: approved, and with an account that takes charges unless told otherwise. */
function creator(over: Record<string, unknown> = {}) {
  signIn({ is_creator: true, is_verified: true })
  network.use(
    http.post('*/functions/v1/list-promotion-codes', () => HttpResponse.json({ promotionCodes: [] })),
    answer('rpc/get_plan_subscribers', [{ product_id: 'product-1', subscribers: 1 }]),
    answer('rpc/get_earlier_prices', []),
    answer('profiles', [
      {
        ...viewerProfile,
        is_creator: true,
        is_verified: true,
        stripe_account_id: 'acct_1',
        stripe_charges_enabled: true,
        tiered_access: false,
        ...over,
      },
    ]),
  )
}

function functionAnswers(body: object | null, status = 200) {
  const sent: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-subscription-product', async ({ request }) => {
      sent.push(await request.json())
      return body ? HttpResponse.json(body, { status }) : HttpResponse.error()
    }),
  )
  return sent
}

async function fillIn({ name = 'Backstage', price = '9.99' } = {}) {
  await userEvent.type(await screen.findByLabelText(/^Name/), name)
  await userEvent.type(screen.getByLabelText(/^Price/), price)
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create plan' }))

describe('the form', () => {
  it('turns dollars into cents, trims, and shows the new product [PROD-01, PROD-02, PROD-04, PROD-06, PROD-07, PROD-11, API-FN-03, CONST-01]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn({ name: '  Backstage ' })
    await userEvent.type(screen.getByLabelText('Description'), ' Everything behind the curtain ')
    await userEvent.click(screen.getByRole('radio', { name: 'Year' }))
    await userEvent.clear(screen.getByLabelText('Free trial'))
    await userEvent.type(screen.getByLabelText('Free trial'), '7')
    network.use(answer('subscription_products', [product]))
    await submit()
    expect(await screen.findByRole('heading', { name: 'Your plans' })).toBeVisible()
    expect(sent).toEqual([
      {
        name: 'Backstage',
        description: 'Everything behind the curtain',
        price_cents: 999,
        interval: 'year',
        trial_days: 7,
        benefits: [],
      },
    ])
    expect(screen.getByLabelText(/^Name/)).toHaveValue('')
    expect(screen.getByText(/\$9\.99/)).toBeVisible()
  })

  it('offers month, year and week, and shows each stored interval [PROD-07]', async () => {
    // The type comes from the schema: no other interval can be stored.
    const stored: Record<Database['public']['Tables']['subscription_products']['Row']['interval'], RegExp> = {
      day: /\/ day/,
      week: /\/ week/,
      month: /\/ month/,
      year: /\/ year/,
    }
    const plans = Object.keys(stored).map((interval) => ({ ...product, id: interval, name: interval, interval }))
    creator()
    network.use(answer('subscription_products', plans))
    renderRoute('/subscription-products')
    const choice = await screen.findByRole('radiogroup', { name: 'Billed every' })
    expect(
      within(choice)
        .getAllByRole('radio')
        .map((radio) => (radio as HTMLInputElement).value),
    ).toEqual(['month', 'year', 'week'])
    expect(within(choice).getByRole('radio', { name: 'Month' })).toBeChecked()
    for (const words of Object.values(stored)) expect((await screen.findAllByText(words))[0]).toBeVisible()
  })

  it('sells a monthly plan for several months, and shows what each costs a month [OFFER-01]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn({ price: '10' })
    const terms = within(screen.getByRole('group', { name: 'Longer terms' }))
    expect(terms.getAllByText('Not sold')).toHaveLength(3)
    await userEvent.type(terms.getByLabelText('3 months'), '10')
    await userEvent.type(terms.getByLabelText('12 months'), '60')
    expect(terms.getByText('$9.00 a month')).toBeVisible()
    await submit()
    expect(await screen.findByText('Use a whole number, 0 to 50')).toBeVisible()
    expect(sent).toEqual([])
    await userEvent.clear(terms.getByLabelText('12 months'))
    await userEvent.type(terms.getByLabelText('12 months'), '0')
    const preview = within(screen.getByRole('complementary', { name: 'Preview' }))
    expect(preview.getByText('3 months')).toBeVisible()
    network.use(
      answer('subscription_products', [
        { ...product, price_cents: 1_000, terms: [{ months: 3, percent_off: 10, price_cents: 2_700 }] },
      ]),
    )
    await submit()
    await waitFor(() =>
      expect(sent).toMatchObject([
        {
          terms: [
            { months: 3, percent_off: 10 },
            { months: 12, percent_off: 0 },
          ],
        },
      ]),
    )
    expect(await screen.findByText('$27.00 every 3 months (−10%)')).toBeVisible()
    // Only monthly plans have longer terms.
    await userEvent.click(screen.getByRole('radio', { name: 'Year' }))
    expect(screen.queryByRole('group', { name: 'Longer terms' })).not.toBeInTheDocument()
  })

  it('changes the terms of a plan [OFFER-01]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      answer('subscription_products', [{ ...product, terms: [{ months: 6, percent_off: 20, price_cents: 4_795 }] }]),
      http.post('*/functions/v1/update-subscription-product', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ success: true })
      }),
    )
    renderRoute('/subscription-products')
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Backstage' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit plan' }))
    expect(dialog.getByLabelText('6 months')).toHaveValue('20%')
    await userEvent.clear(dialog.getByLabelText('6 months'))
    await userEvent.type(dialog.getByLabelText('3 months'), '5')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toMatchObject([{ terms: [{ months: 3, percent_off: 5 }] }]))
  })

  it('leaves the description out when there is none [PROD-04]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn()
    await userEvent.type(screen.getByLabelText('Description'), '   ')
    await submit()
    await waitFor(() =>
      expect(sent).toEqual([{ name: 'Backstage', price_cents: 999, interval: 'month', trial_days: 0, benefits: [] }]),
    )
  })

  it('requires name and price [PROD-03]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await screen.findByLabelText(/^Name/)
    await submit()
    expect(await screen.findByRole('alert')).toHaveTextContent('Please fill in all required fields')
    expect(screen.getByLabelText(/^Name/)).toHaveFocus()
    expect(sent).toEqual([])
  })

  it.each([
    ['0.99', 'The price must be at least $1.00'],
    ['10000', 'The price must be at most $9,999.99'],
  ])('refuses %s dollars [PROD-05]', async (price, words) => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn({ price })
    await submit()
    expect(await screen.findByText(words)).toBeVisible()
    expect(sent).toEqual([])
  })

  it('takes the smallest price there is [PROD-05]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn({ price: '1' })
    await submit()
    await waitFor(() => expect(sent).toMatchObject([{ price_cents: 100 }]))
  })

  it('shows the card as fans will see it, while it is typed [PROF-15, PROD-11]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    renderRoute('/subscription-products')
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
    expect(preview.getByRole('heading', { name: 'Plan name' })).toBeVisible()
    await fillIn({ price: '4.50' })
    await userEvent.click(screen.getByRole('radio', { name: 'Week' }))
    expect(preview.getByRole('heading', { name: 'Backstage' })).toBeVisible()
    expect(preview.getByText('$4.50')).toBeVisible()
    expect(preview.getByText('/ week')).toBeVisible()
  })

  it.each([
    [
      'the server refuses',
      { success: false, error: 'Please complete Stripe onboarding before creating products' },
      409,
      'Please complete Stripe onboarding before creating products',
    ],
    ['no answer comes', null, 0, 'Edge function error creating product'],
  ])('says why and keeps everything when %s [PROD-08, PROD-12]', async (_case, body, status, words) => {
    creator()
    network.use(answer('subscription_products', []))
    functionAnswers(body, status)
    renderRoute('/subscription-products')
    await fillIn()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to create subscription product')
    expect(alert).toHaveTextContent(words)
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Backstage')
    expect(screen.getByLabelText(/^Price/)).toHaveValue('$9.99')
  })

  it('puts a refusal on the field that it is about [PROD-12]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    functionAnswers({ success: false, error: 'The price must be at least $1.00', field: 'price_cents' }, 400)
    renderRoute('/subscription-products')
    await fillIn()
    await submit()
    await screen.findByRole('alert')
    expect(screen.getByLabelText(/^Price/)).toHaveAccessibleDescription(/The price must be at least \$1\.00/)
  })
})

describe('what comes first', () => {
  it.each([
    ['there is no account', { stripe_account_id: null, stripe_charges_enabled: false }],
    ['it takes no charges', { stripe_charges_enabled: false }],
  ])('is payments onboarding while %s [PROD-08, PROD-09]', async (_case, profile) => {
    creator(profile)
    network.use(answer('subscription_products', []))
    renderRoute('/subscription-products')
    expect(await screen.findByText('Please complete Stripe onboarding before creating products')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Set up payouts' })).toHaveAttribute('href', '/creator-onboarding')
    expect(screen.queryByRole('button', { name: 'Create plan' })).not.toBeInTheDocument()
  })

  it('is an approved application [D25]', async () => {
    creator({ is_verified: false })
    network.use(answer('subscription_products', []))
    renderRoute('/subscription-products')
    expect(await screen.findByRole('link', { name: 'Get verified' })).toHaveAttribute('href', '/creator-verification')
  })

  it('is unknown while the application cannot be read [LOOP-08, D25]', async () => {
    creator({ is_verified: false })
    network.use(answer('subscription_products', []), fail('creator_applications'))
    renderRoute('/subscription-products')
    expect(await screen.findByText('Failed to load subscription products')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Get verified' })).not.toBeInTheDocument()
    network.use(answer('creator_applications', [{ id: 'application-1', status: 'pending' }]))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText(/Your plans open once you're approved/)).toBeVisible()
  })

  it('is nothing for a creator who waits for approval, whose plans open with it [LOOP-08]', async () => {
    creator({ is_verified: false })
    network.use(
      answer('subscription_products', [{ ...product, is_active: false }]),
      answer('creator_applications', [{ id: 'application-1', status: 'pending' }]),
    )
    renderRoute('/subscription-products')
    expect(await screen.findByText('Opens when approved')).toBeVisible()
    expect(screen.getByText(/Your plans open once you're approved/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Activate/ })).not.toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Create plan' })).toBeVisible()
  })
})

describe('the next step', () => {
  /** All that the checklist of the dashboard asks for. */
  const complete = {
    stripe_payouts_enabled: true,
    avatar_url: 'http://localhost:3000/storage/v1/object/public/avatars/a.webp',
    cover_url: 'http://localhost:3000/storage/v1/object/public/banners/b.webp',
    total_posts: 3,
    followers_count: 5,
    plans: [{ id: product.id }],
  }

  it('follows the first plan, and comes into view [LOOP-07, LOOP-28]', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    creator({ ...complete, cover_url: null, total_posts: 0, plans: [] })
    network.use(answer('subscription_products', []))
    functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn()
    expect(screen.queryByText(/^Next:/)).not.toBeInTheDocument()
    creator({ ...complete, cover_url: null, total_posts: 0 })
    network.use(answer('subscription_products', [product]))
    await submit()
    const step = (await screen.findByText('Next: Add a picture and a cover')).closest('aside')
    expect(step).toHaveTextContent('4 of 6 done')
    expect(scroll.mock.contexts).toContain(step)
    const link = screen.getByRole('link', { name: 'Finish setting up' })
    expect(link).toHaveAttribute('href', '/dashboard')
    expect(link).toHaveAttribute('data-variant', 'default')
  })

  it('skips the verification that the creator waits for [LOOP-07, LOOP-08]', async () => {
    creator({ ...complete, is_verified: false, total_posts: 0 })
    network.use(
      answer('subscription_products', [product]),
      answer('creator_applications', [{ id: 'application-1', status: 'pending' }]),
    )
    renderRoute('/subscription-products')
    expect(await screen.findByText('Next: Publish your first post')).toBeVisible()
  })

  it.each([
    ['setup is complete', complete],
    ['a creator only waits for approval', { ...complete, is_verified: false }],
  ])('is left out when %s [LOOP-07]', async (_, profile) => {
    creator(profile)
    network.use(
      answer('subscription_products', [product]),
      answer('creator_applications', [{ id: 'application-1', status: 'pending' }]),
    )
    const { queryClient } = renderRoute('/subscription-products')
    expect(await screen.findByRole('heading', { name: 'Your plans' })).toBeVisible()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByText(/^Next:/)).not.toBeInTheDocument()
  })
})

describe('the list', () => {
  it('shows Active and Inactive, and changes it [PROD-10, API-REST-18]', async () => {
    creator()
    const rows = [product, { ...product, id: 'product-2', name: 'Front row', is_active: false }]
    const changes: unknown[] = []
    network.use(
      http.get('*/rest/v1/subscription_products', () => HttpResponse.json(rows)),
      http.patch('*/rest/v1/subscription_products', async ({ request }) => {
        changes.push([new URL(request.url).searchParams.get('id'), await request.json()])
        rows[0] = { ...product, is_active: false }
        return HttpResponse.json({ id: 'product-1' })
      }),
    )
    renderRoute('/subscription-products')
    const items = await screen.findAllByRole('listitem')
    expect(items.map((item) => within(item).getByText(/^(Active|Inactive)$/).textContent)).toEqual([
      'Active',
      'Inactive',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Deactivate Backstage' }))
    expect(await screen.findByText('Backstage is no longer available to new subscribers')).toBeVisible()
    expect(changes).toEqual([['eq.product-1', { is_active: false }]])
    expect(await screen.findByRole('button', { name: 'Activate Backstage' })).toBeVisible()
  })

  it('says how many people have each, and changes its words and its trial but never its price [PROD-02, PROD-10, PROD-11]', async () => {
    creator()
    const sent: unknown[] = []
    let kept = product
    network.use(
      http.get('*/rest/v1/subscription_products', () => HttpResponse.json([kept])),
      http.post('*/functions/v1/update-subscription-product', async ({ request }) => {
        const { name, trial_days } = (await request.json()) as { name: string; trial_days: number }
        sent.push({ name, trial_days })
        kept = { ...product, name, trial_days }
        return HttpResponse.json({ success: true, product: kept })
      }),
    )
    renderRoute('/subscription-products')
    expect(await screen.findByText('1 subscriber')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Edit Backstage' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit plan' })
    expect(within(dialog).queryByLabelText(/^Price/)).toBeNull()
    const name = within(dialog).getByLabelText(/^Name/)
    await userEvent.clear(name)
    await userEvent.type(name, 'Front row')
    await userEvent.clear(within(dialog).getByLabelText('Free trial'))
    await userEvent.type(within(dialog).getByLabelText('Free trial'), '3')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'Front row' })).toBeVisible()
    expect(screen.getByText('3 days free', { selector: 'li *' })).toBeVisible()
    expect(sent).toEqual([{ name: 'Front row', trial_days: 3 }])
  })

  it('changes the price for new subscribers alone, and moves others after asking [OFFER-08]', async () => {
    creator()
    const sent: unknown[] = []
    let rows = [product]
    network.use(
      http.get('*/rest/v1/subscription_products', () => HttpResponse.json(rows)),
      http.post('*/functions/v1/change-plan-price', async ({ request }) => {
        sent.push(await request.json())
        rows = [{ ...product, price_cents: 1_500 }]
        network.use(
          answer('rpc/get_earlier_prices', [{ product_id: 'product-1', subscribers: 2, moving: 0, moves_at: null }]),
        )
        return HttpResponse.json({ success: true })
      }),
      http.post('*/rest/v1/rpc/move_subscribers', async ({ request }) => {
        sent.push(await request.json())
        network.use(
          answer('rpc/get_earlier_prices', [
            { product_id: 'product-1', subscribers: 0, moving: 2, moves_at: '2100-03-04T12:00:00Z' },
          ]),
        )
        return HttpResponse.json(2)
      }),
    )
    renderRoute('/subscription-products')
    await userEvent.click(await screen.findByRole('button', { name: 'Change price: Backstage' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change price' }))
    const save = dialog.getByRole('button', { name: 'Change price' })
    await userEvent.click(save)
    expect(await dialog.findByText('Enter another price than the current one')).toBeVisible()
    await userEvent.clear(dialog.getByLabelText(/^New price/))
    await userEvent.type(dialog.getByLabelText(/^New price/), '15')
    await userEvent.click(save)
    expect(await screen.findByText('New subscribers now pay $15.00 for Backstage')).toBeVisible()
    expect(await screen.findByText('2 subscribers pay an earlier price')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Move to this price: Backstage' }))
    const question = within(await screen.findByRole('dialog', { name: 'Move subscribers of Backstage?' }))
    expect(question.getByText(/moves to \$15\.00/)).toBeVisible()
    await userEvent.click(question.getByRole('button', { name: 'Move subscribers' }))
    expect(await screen.findByText('2 subscribers get a notice')).toBeVisible()
    expect(
      await screen.findByText('2 subscribers move to this price with the first renewal after Mar 4, 2100'),
    ).toBeVisible()
    expect(sent).toEqual([{ id: 'product-1', price_cents: 1_500 }, { plan_id: 'product-1' }])
  })

  it('sends the benefits line by line, up to ten of them [LOOP-15]', async () => {
    creator()
    network.use(answer('subscription_products', []))
    const sent = functionAnswers({ success: true })
    renderRoute('/subscription-products')
    await fillIn()
    const benefits = screen.getByLabelText('Benefits')
    await userEvent.click(benefits)
    await userEvent.paste(Array(11).fill('Prints').join('\n'))
    await submit()
    expect(await screen.findByText('A plan can have up to 10 benefits')).toBeVisible()
    await userEvent.clear(benefits)
    await userEvent.paste('x'.repeat(101))
    await submit()
    expect(await screen.findByText('A benefit can have up to 100 characters')).toBeVisible()
    await userEvent.clear(benefits)
    await userEvent.paste(' Every print as a file \n\nA postcard a year\n')
    const preview = within(screen.getByRole('complementary', { name: 'Preview' }))
    expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Every print as a file',
      'A postcard a year',
    ])
    await submit()
    await waitFor(() => expect(sent).toMatchObject([{ benefits: ['Every print as a file', 'A postcard a year'] }]))
  })

  it('changes benefits and marks the most popular plan [LOOP-15]', async () => {
    creator()
    const sent: unknown[] = []
    let rows = [
      { ...product, benefits: ['Prints'] },
      { ...product, id: 'product-2', name: 'Front row', is_popular: true },
    ]
    network.use(
      http.get('*/rest/v1/subscription_products', () => HttpResponse.json(rows)),
      http.post('*/functions/v1/update-subscription-product', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ success: true })
      }),
      http.post('*/rest/v1/rpc/mark_popular_plan', async ({ request }) => {
        sent.push(await request.json())
        rows = rows.map((row) => ({ ...row, is_popular: row.id === 'product-1' }))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/subscription-products')
    const marked = async () =>
      within((await screen.findByText('Most popular', { selector: 'li *' })).closest('li') as HTMLElement).getByRole(
        'heading',
      ).textContent
    expect(await marked()).toBe('Front row')
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Backstage' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit plan' }))
    const benefits = dialog.getByLabelText('Benefits')
    expect(benefits).toHaveValue('Prints')
    await userEvent.click(benefits)
    await userEvent.paste('\nA postcard')
    await userEvent.click(dialog.getByRole('switch', { name: /^Most popular/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(async () => expect(await marked()).toBe('Backstage'))
    expect(sent).toEqual([
      expect.objectContaining({ id: 'product-1', benefits: ['Prints', 'A postcard'] }),
      { plan_id: 'product-1' },
    ])
  })

  it('puts plans in another order [LOOP-15]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      answer('subscription_products', [product, { ...product, id: 'product-2', name: 'Front row' }]),
      http.post('*/rest/v1/rpc/arrange_plans', async ({ request }) => {
        sent.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/subscription-products')
    await userEvent.click(await screen.findByRole('button', { name: 'Change order' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Order of your plans' }))
    const names = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent?.split(' $')[0])
    expect(names()).toEqual(['Backstage', 'Front row'])
    const up = dialog.getByRole('button', { name: 'Move Front row up' })
    await userEvent.click(up)
    expect(names()).toEqual(['Front row', 'Backstage'])
    expect(up).toHaveFocus()
    await userEvent.click(up)
    expect(names()).toEqual(['Front row', 'Backstage'])
    await userEvent.click(dialog.getByRole('button', { name: 'Save order' }))
    expect(await screen.findByText('Order saved')).toBeVisible()
    expect(sent).toEqual([{ plan_ids: ['product-2', 'product-1'] }])
  })

  it('lets higher plans unlock more, once there are two [POST-43, D14]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      answer('subscription_products', [product, { ...product, id: 'product-2', name: 'Front row', price_cents: 1999 }]),
      http.patch('*/rest/v1/profiles', async ({ request }) => {
        sent.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/subscription-products')
    const higher = await screen.findByRole('switch', { name: /^Higher plans unlock more/ })
    await waitFor(() => expect(higher).toBeEnabled())
    expect(higher).not.toBeChecked()
    await userEvent.click(higher)
    await waitFor(() => expect(higher).toBeChecked())
    expect(sent).toEqual([{ tiered_access: true }])
  })

  it('takes a change back that was refused', async () => {
    creator()
    network.use(
      http.get('*/rest/v1/subscription_products', () => HttpResponse.json([product])),
      http.patch('*/rest/v1/subscription_products', () =>
        HttpResponse.json({ code: '42501', message: 'permission denied' }, { status: 403 }),
      ),
    )
    renderRoute('/subscription-products')
    await userEvent.click(await screen.findByRole('button', { name: 'Deactivate Backstage' }))
    expect(await screen.findByText("Couldn't change the plan")).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Deactivate Backstage' })).toBeVisible()
  })

  it("says that plans failed to load, or that a plan wasn't created [PROD-12]", async () => {
    creator()
    network.use(fail('subscription_products'))
    renderRoute('/subscription-products')
    expect(await screen.findByText('Failed to load subscription products')).toBeVisible()
    network.use(answer('subscription_products', [product]))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Active')).toBeVisible()
    functionAnswers(null)
    await fillIn()
    await submit()
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to create subscription product')
    expect(alert).toHaveTextContent('Edge function error creating product')
  })
})

it('sends a signed-out visitor to sign in and back [D35]', async () => {
  const { router } = renderRoute('/subscription-products')
  await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fsubscription-products'))
})

it('makes a promotion code and retires one', async () => {
  creator()
  const asked: unknown[] = []
  const kept = {
    id: 'p-1',
    code: 'SPRING',
    percentOff: 25,
    amountOffCents: null,
    duration: 'once',
    durationMonths: null,
    expiresAt: '2020-03-04T12:00:00Z' as string | null,
  }
  let codes = [{ ...kept, isActive: true }]
  network.use(
    answer('subscription_products', [product]),
    http.post('*/functions/v1/list-promotion-codes', () => HttpResponse.json({ promotionCodes: codes })),
    http.post('*/functions/v1/create-promotion-code', async ({ request }) => {
      const body = (await request.json()) as { code: string }
      asked.push(body)
      codes = [{ ...kept, id: 'p-2', code: body.code, expiresAt: null, isActive: true }, ...codes]
      return HttpResponse.json({ success: true, promotionCode: codes[0] })
    }),
    http.post('*/functions/v1/retire-promotion-code', () => {
      codes = codes.map((one) => (one.id === 'p-1' ? { ...one, isActive: false } : one))
      return HttpResponse.json({ success: true })
    }),
  )
  renderRoute('/subscription-products')
  expect(await screen.findByText('25% off, the first payment · until Mar 4, 2020')).toBeVisible()
  expect(screen.getByText('Expired')).toBeVisible()
  await userEvent.type(screen.getByRole('textbox', { name: 'Code' }), 'summer')
  await userEvent.type(screen.getByLabelText('Last day'), '2099-06-30')
  await userEvent.click(screen.getByRole('button', { name: 'Create code' }))
  expect(await screen.findByText('SUMMER is ready to share')).toBeVisible()
  const expiresAt = new Date('2099-06-30T23:59:59').toISOString() // the end of that day, where the creator is
  expect(asked).toEqual([{ code: 'SUMMER', percentOff: 20, duration: 'once', expiresAt }])
  await userEvent.click(screen.getByRole('button', { name: 'Deactivate SPRING' }))
  expect(await screen.findByText('Inactive')).toBeVisible()
})

describe('pauses', () => {
  it('pause billing after a question that says how many and until when, and resume with notice [OFFER-09]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      answer('subscription_products', [product]),
      http.post('*/rest/v1/rpc/pause_billing', async ({ request }) => {
        sent.push(await request.json())
        network.use(answer('billing_pauses', [{ months: 2, resumes_at: '2100-03-04T12:00:00Z' }]))
        return HttpResponse.json('2100-03-04T12:00:00Z')
      }),
      http.post('*/rest/v1/rpc/resume_billing', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(
          { code: 'PT409', message: 'Billing already resumes within 7 days', details: null, hint: null },
          { status: 409 },
        )
      }),
    )
    renderRoute('/subscription-products')
    const pauses = within(await screen.findByRole('region', { name: 'Pauses' }))
    await userEvent.click(await pauses.findByRole('radio', { name: '2 months' }))
    await userEvent.click(pauses.getByRole('button', { name: 'Pause billing' }))
    const question = within(await screen.findByRole('dialog', { name: 'Pause billing?' }))
    expect(question.getByText(/^1 subscriber won't be charged until .+ and keep their access/)).toBeVisible()
    await userEvent.click(question.getByRole('button', { name: 'Pause billing' }))
    expect(await pauses.findByRole('heading', { name: 'Billing is paused until Mar 4, 2100' })).toBeVisible()
    expect(pauses.getByText(/Your subscribers get a notice on Feb 25, 2100/)).toBeVisible()
    await userEvent.click(pauses.getByRole('button', { name: 'Resume in 7 days' }))
    const second = within(await screen.findByRole('dialog', { name: 'Resume billing?' }))
    await userEvent.click(second.getByRole('button', { name: 'Resume billing' }))
    expect(await screen.findByText('Billing already resumes within 7 days')).toBeVisible()
    expect(sent).toEqual([{ months: 2 }, {}])
  })

  it('let subscribers pause only once the creator turns it on [OFFER-10]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      answer('subscription_products', [product]),
      http.post('*/rest/v1/rpc/set_fans_may_pause', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(null)
      }),
    )
    renderRoute('/subscription-products')
    const allow = await screen.findByRole('switch', { name: /^Let subscribers pause/ })
    expect(allow).not.toBeChecked()
    await userEvent.click(allow)
    await waitFor(() => expect(allow).toBeChecked())
    expect(sent).toEqual([{ may: true }])
  })

  it('say so when they fail to load', async () => {
    creator()
    network.use(answer('subscription_products', [product]), fail('billing_pauses'))
    renderRoute('/subscription-products')
    expect(await screen.findByText("Couldn't load your pauses")).toBeVisible()
  })
})

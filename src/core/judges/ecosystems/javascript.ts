import type { Ecosystem } from "../tests/ecosystem.ts";
import { matcherTable, wordSet } from "../tests/matchers.ts";
import { SLASHES, quoted } from "./syntax.ts";

/** vitest, jest, mocha with chai, sinon or should, node:test with assert, ava, tap, playwright */
export const javascript: Ecosystem = {
  files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/u,
  syntax: {
    ...SLASHES,
    strings: [
      quoted("`", { escapes: true, oneLine: false }),
      quoted('"', { escapes: true, oneLine: true }),
      quoted("'", { escapes: true, oneLine: true }),
    ],
    patterns: true,
  },
  mixed: false,
  indented: false,
  cases: {
    calls: wordSet("it test specify xit xtest xspecify fit ftest"),
    keywords: wordSet("function"),
    names: null,
    attributes: new Set(),
    tables: wordSet("each for forEach"),
    rows: new Set(),
  },
  calls: matcherTable(`
    assert = cond 0
    assert|t|chai.ok assert|t.true assert|t.truthy assert.isTrue assert.isOk = cond 0
    assert|t.notOk assert|t.false assert|t.falsy assert.isFalse assert.isNotOk = !cond 0
    assert|t.equal assert|t.strictEqual assert|t.deepEqual assert|t.deepStrictEqual = eq 0 1
    t.is assert|t.same assert|t.eq assert|t.eql assert.sameMembers assert.partialDeepStrictEqual = eq 0 1
    assert.assertEquals assertEquals assertStrictEquals = eq 0 1
    assert|t.notEqual assert|t.notStrictEqual assert|t.notDeepEqual assert|t.notDeepStrictEqual t.not = !eq 0 1
    assert.isNull = eq 0 'null'
    assert.isUndefined = eq 0 'undefined'
    assert.isNotNull assert.isDefined assert.exists assert.assertExists assertExists = some 0
    assert|t.match t.regex assertMatch = matches 0 1
    assert|t.doesNotMatch t.notRegex = !matches 0 1
    assert.include assert.deepInclude assertArrayIncludes assertStringIncludes = contains 0 1
    assert.notInclude = !contains 0 1
    assert.lengthOf = length 0 1
    assert.isAbove assert.isAtLeast = more 0 1
    assert.isBelow assert.isAtMost = less 0 1
    assert.closeTo assert.approximately assertAlmostEquals = approx 0 1 2
    assert.instanceOf assert.typeOf assert.isArray assert.isString assert.isObject assert.isNumber = type 0 1
    assert|t.throws assert|t.rejects t.throwsAsync assertThrows assertRejects = throws 0 1
    assert|t.doesNotThrow assert|t.doesNotReject t.notThrows = !throws 0
    sinon|assert.calledWith sinon|assert.calledOnceWith = called 0 1
    sinon|assert.called sinon|assert.calledOnce = called 0
    t.snapshot = snapshot 0
    assert|expect.fail t.fail assert.assertions expect.unreachable = other - 0
    expect.assertions t.plan = length - 0
  `),
  openers: wordSet("expect expectTypeOf"),
  suffixes: wordSet("should"),
  matchers: matcherTable(`
    toBe toEqual toStrictEqual equal equals eql eq toHaveValue toHaveText toHaveTextContent members = eq - 0
    toEqualTypeOf ordered = eq - 0
    toBeNull null = eq - 'null'
    toBeUndefined undefined = eq - 'undefined'
    toBeNaN NaN = eq - 'NaN'
    true toBeTrue = eq - 'true'
    false toBeFalse = eq - 'false'
    empty toBeEmpty = length - '0'
    toBeTruthy ok = truthy
    toBeFalsy = !truthy
    toBeDefined exist toBeAttached toBeInTheDocument = some
    toBeCloseTo = approx - 0 1d
    closeTo approximately = approx - 0 1
    toContain toContainEqual toMatchObject toHaveProperty include includes contain contains = contains - 0
    property keys key members toContainText toContainAllKeys arrayContaining objectContaining = contains - 0
    toMatch match matches string = matches - 0
    toHaveLength lengthOf length toHaveCount = length - 0
    toBeGreaterThan toBeGreaterThanOrEqual above gt gte greaterThan least = more - 0
    toBeLessThan toBeLessThanOrEqual below lt lte lessThan most = less - 0
    toBeInstanceOf toBeTypeOf instanceof instanceOf a an = type - 0
    toThrow toThrowError throw throws rejectedWith = throws - 0
    rejected = throws
    toHaveBeenCalledWith toHaveBeenLastCalledWith toHaveBeenNthCalledWith toBeCalledWith calledWith = called - 0
    toHaveBeenCalledTimes toBeCalledTimes callCount toHaveBeenCalledExactlyOnceWith = called - 0
    toHaveBeenCalledOnce calledOnce = called - '1'
    toHaveBeenCalled toBeCalled called toHaveReturned = called
    toMatchSnapshot toMatchFileSnapshot toHaveScreenshot toThrowErrorMatchingSnapshot = snapshot
    toMatchInlineSnapshot toThrowErrorMatchingInlineSnapshot = snapshot - 0
  `),
  negators: wordSet("not never"),
  keyword: null,
  failures: new Set(),
  looseTruth: true,
  stubs: wordSet("mock doMock stub replace spyOn method"),
  timeout: 5_000,
  throwing: wordSet("throw reject"),
};

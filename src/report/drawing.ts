import { escaped, Html } from "./html.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Attributes that are for a page of Plot's own: looks are in our style, and a picture has one name. */
const DROPPED: ReadonlySet<string> = new Set(["aria-label", "aria-description", "style"]);

class TextNode {
  readonly #data: string;

  constructor(data: string) {
    this.#data = data;
  }

  get text(): string {
    return escaped(this.#data);
  }
}

class ElementNode {
  readonly namespaceURI = SVG;
  readonly localName: string;
  readonly ownerDocument: Page;
  readonly childNodes: (ElementNode | TextNode)[] = [];
  readonly #attributes = new Map<string, string>();

  constructor(localName: string, ownerDocument: Page) {
    this.localName = localName;
    this.ownerDocument = ownerDocument;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild<Child extends ElementNode | TextNode>(child: Child): Child {
    this.childNodes.push(child);
    return child;
  }

  insertBefore<Child extends ElementNode | TextNode>(child: Child): Child {
    return this.appendChild(child);
  }

  set textContent(data: unknown) {
    this.childNodes.splice(0, Infinity, new TextNode(String(data)));
  }

  get text(): string {
    // Its sheet is for elements that it does not know.
    if (this.localName === "style") return "";
    const attributes = [...this.#attributes].filter(([name]) => !DROPPED.has(name));
    const spelled = attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    return `<${this.localName}${spelled}>${this.childNodes.map(({ text }) => text).join("")}</${this.localName}>`;
  }
}

/**
 * As much of a document as Plot draws in: elements that are made, filled, and written out once. A whole DOM would be twice
 * as large as Plot itself, in every download.
 */
class Page {
  readonly documentElement: ElementNode = new ElementNode("html", this);

  createElementNS(_: string, name: string): ElementNode {
    return new ElementNode(name, this);
  }
}

/**
 * What Plot draws, as markup.
 *
 * @param draw gets what Plot takes as its `document`
 * @param attributes of the outermost element, besides its own
 */
export function drawn(draw: (document: Page) => object, attributes: Readonly<Record<string, string>>): Html {
  // By its types, Plot gives an element of a browser; it is one of the page's.
  const pictures = [draw(new Page())].filter((picture) => picture instanceof ElementNode);
  for (const picture of pictures)
    for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  return new Html(pictures.map(({ text }) => text).join(""));
}

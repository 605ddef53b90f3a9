// Runs at the beginning of a page of plain files (site.py): leads to the page in the language that ?lang= asks for; from
// the first page also to that which was chosen here before, or else to that of the browser.
(() => {
  const { pages, here, first } = PAGES, address = new URL(location.href);
  const remembered = () => {
    try {
      return localStorage.getItem("attention-explorer:language");
    } catch (refused) {
      if (refused instanceof DOMException) return null; // switched off
      throw refused;
    }
  };
  const asked = address.searchParams.get("lang"), browsers = navigator.languages.map((code) => code.split("-")[0]);
  const wanted = [asked, ...(here === first ? [remembered(), ...browsers] : []), here].find((code) => Object.hasOwn(pages, code));
  if (wanted === here) return;
  const page = new URL(pages[wanted], address);
  page.search = address.search;
  location.replace(page);
})();
